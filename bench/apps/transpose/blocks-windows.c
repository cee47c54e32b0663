// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks go by one-sided communication. put: each rank puts its blocks where they are needed, between fences. get
// (how: "get"): each rank gets blocks from where they were packed, with lock_all and flush.
#include <mpi.h>
#include <string.h>
#include "bench/apps/aligned.h"
#include "matrix.h"

struct blocks {
  int is_get;
  long count;
  double *own, *window; // a block for each rank
  MPI_Win win;
};

struct blocks *blocks_make(struct matrices *m, const char *how) {
  struct blocks *x = aligned_get(sizeof *x);
  x->is_get = strcmp(how, "get") == 0;
  x->count = (long)m->block * m->block;
  MPI_Aint bytes = (MPI_Aint)(m->size * x->count * (long)sizeof(double));
  x->own = aligned_get((size_t)bytes);
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x->window, &x->win);
  if (x->is_get) MPI_Win_lock_all(0, x->win);
  else MPI_Win_fence(MPI_MODE_NOPRECEDE, x->win);
  return x;
}

static void put(struct blocks *x, struct matrices *m) {
  for (int phase = 1; phase < m->size; phase++) {
    int to = (m->rank - phase + m->size) % m->size;
    matrices_pack(m, to, x->own + to * x->count);
    MPI_Put(x->own + to * x->count, (int)x->count, MPI_DOUBLE, to, m->rank * x->count, (int)x->count, MPI_DOUBLE,
            x->win);
  }
  MPI_Win_fence(MPI_MODE_NOSTORE, x->win);
  for (int phase = 1; phase < m->size; phase++) {
    int from = (m->rank + phase) % m->size;
    matrices_unpack(m, from, x->window + from * x->count);
  }
  MPI_Win_fence(MPI_MODE_NOSTORE, x->win);
}

static void get(struct blocks *x, struct matrices *m) {
  for (int phase = 1; phase < m->size; phase++) {
    int to = (m->rank - phase + m->size) % m->size;
    matrices_pack(m, to, x->window + to * x->count);
  }
  MPI_Win_sync(x->win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int phase = 1; phase < m->size; phase++) {
    int from = (m->rank + phase) % m->size;
    MPI_Get(x->own + from * x->count, (int)x->count, MPI_DOUBLE, from, m->rank * x->count, (int)x->count, MPI_DOUBLE,
            x->win);
    MPI_Win_flush(from, x->win);
    matrices_unpack(m, from, x->own + from * x->count);
  }
  MPI_Barrier(MPI_COMM_WORLD); // all have got theirs
  MPI_Win_sync(x->win);
}

void blocks_exchange(struct blocks *x, struct matrices *m) {
  if (x->is_get) get(x, m);
  else put(x, m);
}

void blocks_release(struct blocks *x) {
  if (x->is_get) MPI_Win_unlock_all(x->win);
  else MPI_Win_fence(MPI_MODE_NOSUCCEED, x->win);
  MPI_Win_free(&x->win);
  aligned_release(x->own), aligned_release(x);
}
