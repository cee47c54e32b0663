// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window with a value and a flag for each row. The sender puts the value, flushes, and puts the flag; the receiver
// looks at its flag until the turn has come.
#include <mpi.h>
#include <string.h>
#include "bench/apps/aligned.h"
#include "link.h"

struct slot {
  double value;
  long turn;
};
struct link {
  MPI_Win win;
  struct slot *slots;
};

struct link *link_make(int rank, int size, long rows) {
  (void)rank, (void)size;
  struct link *l = aligned_get(sizeof *l);
  MPI_Win_allocate(rows * (MPI_Aint)sizeof *l->slots, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &l->slots, &l->win);
  memset(l->slots, 0, (size_t)rows * sizeof *l->slots);
  MPI_Win_lock_all(0, l->win);
  MPI_Win_sync(l->win);
  MPI_Barrier(MPI_COMM_WORLD);
  return l;
}

double link_receive(struct link *l, int from, long row, long turn) {
  volatile struct slot *slot = &l->slots[row];
  (void)from;
  while (slot->turn != turn) MPI_Win_sync(l->win);
  MPI_Win_sync(l->win);
  return slot->value;
}

void link_send(struct link *l, int to, long row, long turn, double value) {
  MPI_Aint at = row * (MPI_Aint)sizeof(struct slot);
  MPI_Put(&value, 1, MPI_DOUBLE, to, at, 1, MPI_DOUBLE, l->win);
  MPI_Win_flush(to, l->win);
  MPI_Put(&turn, 1, MPI_LONG, to, at + (MPI_Aint)sizeof value, 1, MPI_LONG, l->win);
  MPI_Win_flush(to, l->win);
}

void link_release(struct link *l) {
  MPI_Win_unlock_all(l->win);
  MPI_Win_free(&l->win);
  aligned_release(l);
}
