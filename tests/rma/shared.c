// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared windows (MPI-3.1 11.2.3): direct loads and stores of other ranks' memory, MPI_Win_sync, barriers, locks.
#include <mpi.h>
#include <stddef.h>

static int rank, *memory, *first, x[8];
static MPI_Win win;

static void open_window(void) {
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_shared_query(win, 0, &size, &unit, &first);
  MPI_Win_lock_all(0, win);
}
static void close_window(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}
static void meet(void) {
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
}

// case 1: rma.race (no barrier)
static void case_1(void) {
  if (rank == 1) first[3] = 1;   // @1
  MPI_Win_sync(win);
  if (!rank) x[0] = memory[3];   // @1
}
// case 2: ok
static void case_2(void) {
  if (rank == 1) first[3] = 1;   // @2
  meet();
  if (!rank) x[0] = memory[3];   // @2
}
// case 3: rma.race (two ranks store into the memory of a third)
static void case_3(void) {
  if (rank) first[3] = rank;   // @3
}
// case 4: ok (different elements)
static void case_4(void) {
  if (rank) first[2 + rank] = 1;   // @4
}
// case 5: rma.race (a put beside a direct load of a third)
static void case_5(void) {
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @5
  if (rank == 2) x[1] = first[3];   // @5
}
// case 6: ok (flushed, and then a message)
static void case_6(void) {
  if (rank == 1) {
    MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @6
    MPI_Win_flush(0, win);
    MPI_Send(x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  }
  if (rank == 2) {
    MPI_Recv(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x[1] = first[3];   // @6
  }
}
// case 7: ok (exclusive locks of the memory's owner)
static void case_7(void) {
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    first[3] += rank;   // @7
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
}
// case 8: ok (all load)
static void case_8(void) {
  x[2] = first[5];   // @8
}
// case 9: ok (barriers and MPI_Win_fence)
static void case_9(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_fence(0, win);
  if (rank == 1) first[3] = 1;   // @9
  MPI_Win_fence(0, win);
  if (rank == 2) first[3] = 2;   // @9
  MPI_Win_fence(0, win);
  MPI_Win_lock_all(0, win);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    open_window();
    cases[i]();
    MPI_Barrier(MPI_COMM_WORLD);
    close_window();
  }
  MPI_Finalize();
  return 0;
}
