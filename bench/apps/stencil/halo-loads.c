// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grids are in shared memory: each rank loads its margin from the grids of its neighbors.
#include "bench/apps/aligned.h"
#include "domain.h"

struct halo {
  MPI_Comm node;
  MPI_Win win;
  struct {
    double *in;
    long width; // of the neighbor's grid, with margins
    long height;
  } of[SIDES];
};

struct halo *halo_make(struct domain *d, const char *how) {
  (void)how;
  struct halo *h = aligned_get(sizeof *h);
  int size;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, d->rank, MPI_INFO_NULL, &h->node);
  MPI_Comm_size(h->node, &size);
  if (size != d->size) MPI_Abort(MPI_COMM_WORLD, 2); // one node only
  MPI_Win_allocate_shared((MPI_Aint)domain_in_bytes(d), sizeof(double), MPI_INFO_NULL, h->node, &d->in, &h->win);
  long mine[2] = {IN_WIDTH(d), d->height}, *all = aligned_get((size_t)size * 2 * sizeof *all);
  MPI_Allgather(mine, 2, MPI_LONG, all, 2, MPI_LONG, h->node);
  for (int s = 0; s < SIDES; s++) {
    MPI_Aint bytes;
    int unit;
    if (d->neighbor[s] == MPI_PROC_NULL) continue;
    MPI_Win_shared_query(h->win, d->neighbor[s], &bytes, &unit, &h->of[s].in);
    h->of[s].width = all[2 * d->neighbor[s]], h->of[s].height = all[2 * d->neighbor[s] + 1];
  }
  aligned_release(all);
  MPI_Win_lock_all(0, h->win);
  return h;
}

// All ranks have stored before any goes on to load, or the other way round.
static void synchronize(struct halo *h) {
  MPI_Win_sync(h->win);
  MPI_Barrier(h->node);
  MPI_Win_sync(h->win);
}

static void load_columns(struct halo *h, struct domain *d, enum side s) {
  const double *in = h->of[s].in;
  long width = h->of[s].width, first = s == RIGHT ? d->iend + 1 : d->istart - RADIUS;
  for (long j = d->jstart; j <= d->jend; j++)
    for (long i = 0; i < RADIUS; i++)
      IN(d, first + i, j) = in[(j - d->jstart + RADIUS) * width + (s == RIGHT ? RADIUS + i : width - 2 * RADIUS + i)];
}

static void load_rows(struct halo *h, struct domain *d, enum side s) {
  const double *in = h->of[s].in;
  long width = h->of[s].width, first = s == TOP ? d->jend + 1 : d->jstart - RADIUS;
  for (long j = 0; j < RADIUS; j++)
    for (long i = d->istart; i <= d->iend; i++)
      IN(d, i, first + j) = in[(s == TOP ? RADIUS + j : h->of[s].height + j) * width + i - d->istart + RADIUS];
}

void halo_exchange(struct halo *h, struct domain *d) {
  synchronize(h);
  for (int s = 0; s < SIDES; s++) {
    if (d->neighbor[s] == MPI_PROC_NULL) continue;
    if (s == RIGHT || s == LEFT) load_columns(h, d, s);
    else load_rows(h, d, s);
  }
}

void halo_settle(struct halo *h, struct domain *d) {
  (void)d;
  synchronize(h);
}

void halo_release(struct halo *h, struct domain *d) {
  (void)d;
  MPI_Win_unlock_all(h->win);
  MPI_Win_free(&h->win);
  MPI_Comm_free(&h->node);
  aligned_release(h);
}
