// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: env MPICC_CHECK_OPTIONS=pedantic=1:log_budget=0 %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A missing MPI_Win_sync in logs that are cut at each barrier. A store that its rank does not synchronize before a cut
// stays in its log.
#include <mpi.h>
#include <stddef.h>

static int rank, *memory, *first;
static volatile int x[1];
static MPI_Win win;

static void open_window(void) {
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_shared_query(win, 0, &size, &unit, &first);
  MPI_Win_lock_all(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void close_window(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void barriers(void) { barrier(), barrier(), barrier(); }
static void synchronize(void) { MPI_Win_sync(win); }

// case 1: rma.sync-missing (nobody)
static void case_1(void) {
  if (rank == 1) first[3] = 1;   // @1
  barrier();
  if (!rank) x[0] = memory[3];   // @1
}
// case 2: ok (both)
static void case_2(void) {
  if (rank == 1) first[3] = 1;
  synchronize();
  barrier();
  synchronize();
  if (!rank) x[0] = memory[3];
}
// case 3: rma.sync-missing (the loading rank alone, several cuts later)
static void case_3(void) {
  if (rank == 1) first[3] = 1;   // @3
  barriers();
  if (!rank) synchronize(), x[0] = memory[3];   // @3
}
// case 4: ok (the storing rank between two cuts)
static void case_4(void) {
  if (rank == 1) first[3] = 1;
  barrier();
  synchronize();
  barrier();
  synchronize();
  if (!rank) x[0] = memory[3];
}
// case 5: rma.sync-missing (the storing rank, but too late)
static void case_5(void) {
  if (rank == 1) first[3] = 1;   // @5
  barriers();
  if (rank == 1) synchronize();
  if (!rank) x[0] = memory[3];   // @5
}
// case 6: ok (a flush does as well)
static void case_6(void) {
  if (rank == 1) first[3] = 1, MPI_Win_flush_local(0, win);
  barriers();
  if (!rank) synchronize(), x[0] = memory[3];
}
// case 7: ok (other bytes, and the own ones)
static void case_7(void) {
  if (rank == 1) first[3] = 1;
  barriers();
  if (!rank) x[0] = memory[2];
  if (rank == 1) x[0] = first[3];
}
// case 8: ok (fences)
static void case_8(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_fence(0, win);
  if (rank == 1) first[3] = 1;
  MPI_Win_fence(0, win);
  barriers();
  if (!rank) x[0] = memory[3];
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock_all(0, win);
}
// case 9: ok (two stores of different ranks, in order, that are not loaded)
static void case_9(void) {
  char byte = 0;
  if (rank == 1) first[3] = 1, MPI_Send(&byte, 1, MPI_CHAR, 2, 3, MPI_COMM_WORLD);
  if (rank == 2) MPI_Recv(&byte, 1, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE), first[3] = 2;
  barriers();
}

int main(int argc, char **argv) {
  static void (*const CASES[])(void) = {NULL, case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 1; i < sizeof CASES / sizeof *CASES; i++) {
    open_window();
    CASES[i]();
    close_window();
  }
  MPI_Finalize();
}
