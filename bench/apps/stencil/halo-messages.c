// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The margins come as messages: nonblocking (Isend, Irecv, Wait) or blocking (Sendrecv).
#include <stdlib.h>
#include <string.h>
#include "bench/apps/aligned.h"
#include "domain.h"
#include "margin.h"

struct halo {
  int is_blocking;
  double *sent[SIDES], *received[SIDES];
  MPI_Request requests[2 * SIDES];
};
static const enum side opposite[SIDES] = {LEFT, RIGHT, BOTTOM, TOP};

struct halo *halo_make(struct domain *d, const char *how) {
  struct halo *h = aligned_get(sizeof *h);
  h->is_blocking = strcmp(how, "blocking") == 0;
  for (int s = 0; s < SIDES; s++) {
    size_t bytes = (size_t)margin_count(d, s) * sizeof(double);
    h->sent[s] = aligned_get(2 * bytes);
    h->received[s] = h->sent[s] + margin_count(d, s);
  }
  d->in = aligned_get(domain_in_bytes(d));
  return h;
}

static void exchange_nonblocking(struct halo *h, struct domain *d) {
  for (int s = 0; s < SIDES; s++) {
    if (d->neighbor[s] == MPI_PROC_NULL) continue;
    MPI_Irecv(h->received[s], (int)margin_count(d, s), MPI_DOUBLE, d->neighbor[s], opposite[s], MPI_COMM_WORLD,
              &h->requests[2 * s]);
    margin_pack(d, s, h->sent[s]);
    MPI_Isend(h->sent[s], (int)margin_count(d, s), MPI_DOUBLE, d->neighbor[s], s, MPI_COMM_WORLD,
              &h->requests[2 * s + 1]);
  }
  for (int s = 0; s < SIDES; s++) {
    if (d->neighbor[s] == MPI_PROC_NULL) continue;
    MPI_Wait(&h->requests[2 * s], MPI_STATUS_IGNORE);
    MPI_Wait(&h->requests[2 * s + 1], MPI_STATUS_IGNORE);
    margin_unpack(d, s, h->received[s]);
  }
}

// All ranks send to one side at a time, and receive from the other.
static void exchange_blocking(struct halo *h, struct domain *d) {
  for (int s = 0; s < SIDES; s++) {
    enum side from = opposite[s];
    if (d->neighbor[s] != MPI_PROC_NULL) margin_pack(d, s, h->sent[s]);
    MPI_Sendrecv(h->sent[s], (int)margin_count(d, s), MPI_DOUBLE, d->neighbor[s], s, h->received[from],
                 (int)margin_count(d, from), MPI_DOUBLE, d->neighbor[from], s, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (d->neighbor[from] != MPI_PROC_NULL) margin_unpack(d, from, h->received[from]);
  }
}

void halo_exchange(struct halo *h, struct domain *d) {
  if (h->is_blocking) exchange_blocking(h, d);
  else exchange_nonblocking(h, d);
}

void halo_settle(struct halo *h, struct domain *d) { (void)h, (void)d; }

void halo_release(struct halo *h, struct domain *d) {
  for (int s = 0; s < SIDES; s++) aligned_release(h->sent[s]);
  aligned_release(h);
  aligned_release(d->in);
}
