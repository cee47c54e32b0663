// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared windows of many pages (64 MiB a rank), of which few are touched: by whom, and far from where they begin.
#include <mpi.h>

enum { N = 1 << 24, LAST = N - 1 };
static int rank, *memory, *first, x;
static MPI_Win win;

static void open_window(void) {
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(N * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_shared_query(win, 0, &size, &unit, &first);
  MPI_Win_lock_all(0, win);
}
static void close_window(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}
static void pass(void) {
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
}

// case 1: rma.race (the last element of rank 0's part)
static void last(void) {
  open_window();
  if (rank == 1) first[LAST] = 3;   // @1
  if (!rank) x = memory[LAST];   // @1
  close_window();
}
// case 2: ok (a barrier between)
static void last_ok(void) {
  open_window();
  if (rank == 1) first[LAST] = 3;   // @2
  pass();
  if (!rank) x = memory[LAST];   // @2
  close_window();
}
// case 3: rma.race (every thousandth page of all three parts)
static void sparse(void) {
  open_window();
  if (!rank) for (long i = 0; i < 3L * N; i += 1024000) first[i] = 1;   // @3
  if (rank == 2) x = memory[1024000L * 33 - 2L * N];   // @3
  close_window();
}
// case 4: ok (beside them)
static void sparse_ok(void) {
  open_window();
  if (!rank) for (long i = 0; i < 3L * N; i += 1024000) first[i] = 1;   // @4
  if (rank == 2) x = memory[1024000L * 33 - 2L * N + 1];   // @4
  close_window();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  last(), last_ok(), sparse(), sparse_ok();
  MPI_Finalize();
  return x < 0;
}
