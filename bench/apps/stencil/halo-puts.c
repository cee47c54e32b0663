// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neighbors put the margins into a window of buffers, between two fences.
#include "bench/apps/aligned.h"
#include "domain.h"
#include "margin.h"

struct halo {
  double *sent[SIDES], *received; // received: the window, SIDES buffers of equal size
  long most;                      // values of the longest side of all ranks
  MPI_Win win;
};
static const enum side opposite[SIDES] = {LEFT, RIGHT, BOTTOM, TOP};

struct halo *halo_make(struct domain *d, const char *how) {
  (void)how;
  struct halo *h = aligned_get(sizeof *h);
  long most = 0;
  for (int s = 0; s < SIDES; s++)
    if (margin_count(d, s) > most) most = margin_count(d, s);
  MPI_Allreduce(&most, &h->most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  for (int s = 0; s < SIDES; s++) h->sent[s] = aligned_get((size_t)h->most * sizeof(double));
  MPI_Win_allocate((MPI_Aint)(SIDES * h->most * (long)sizeof(double)), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &h->received, &h->win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, h->win);
  d->in = aligned_get(domain_in_bytes(d));
  return h;
}

void halo_exchange(struct halo *h, struct domain *d) {
  for (int s = 0; s < SIDES; s++) {
    if (d->neighbor[s] == MPI_PROC_NULL) continue;
    margin_pack(d, s, h->sent[s]);
    MPI_Put(h->sent[s], (int)margin_count(d, s), MPI_DOUBLE, d->neighbor[s], opposite[s] * h->most,
            (int)margin_count(d, s), MPI_DOUBLE, h->win);
  }
  MPI_Win_fence(MPI_MODE_NOSTORE, h->win);
  for (int s = 0; s < SIDES; s++)
    if (d->neighbor[s] != MPI_PROC_NULL) margin_unpack(d, s, h->received + s * h->most);
}

void halo_settle(struct halo *h, struct domain *d) {
  (void)d;
  MPI_Win_fence(0, h->win);
}

void halo_release(struct halo *h, struct domain *d) {
  MPI_Win_fence(MPI_MODE_NOSUCCEED, h->win);
  MPI_Win_free(&h->win);
  for (int s = 0; s < SIDES; s++) aligned_release(h->sent[s]);
  aligned_release(h);
  aligned_release(d->in);
}
