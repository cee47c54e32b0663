// CASES: // case (\d+):
// ONCE: %mpicc-check %s -o %t
// ONCE: env MPICC_CHECK_OPTIONS=log_budget=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs that are cut between an operation and what meets it through another window, or what takes its memory away.
#include <mpi.h>
#include <stdlib.h>

enum { N = 1 << 14, OWNER = 1 };
static int rank, x[4], *memory, *block;
static MPI_Win whole, part, dynamic;

static void cut(int n) { for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD); }
static void open_windows(void) { // the second half is in both
  memory = calloc(64, sizeof *memory);
  MPI_Win_create(memory, 64 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &whole);
  MPI_Win_create(memory + 32, 32 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &part);
  MPI_Win_lock_all(0, whole), MPI_Win_lock_all(0, part);
  cut(1);
}
static void close_windows(void) {
  MPI_Win_unlock_all(whole), MPI_Win_unlock_all(part);
  MPI_Win_free(&part), MPI_Win_free(&whole);
  free(memory);
}
static MPI_Aint attach(void) {
  MPI_Aint at = 0;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  block = calloc(N, sizeof *block);
  if (rank == OWNER) MPI_Win_attach(dynamic, block, N * sizeof *block), MPI_Get_address(block, &at);
  MPI_Bcast(&at, 1, MPI_AINT, OWNER, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, dynamic);
  return at;
}
static void end_dynamic(void) {
  MPI_Win_unlock_all(dynamic);
  MPI_Win_free(&dynamic);
  free(block);
}

// case 1: rma.window-overlap (the put through the first window is under way over the cuts)
static void over(void) {
  open_windows();
  if (!rank) MPI_Put(x, 1, MPI_INT, OWNER, 40, 1, MPI_INT, whole);   // @1
  cut(3);
  if (rank) MPI_Put(x, 1, MPI_INT, OWNER, 8, 1, MPI_INT, part);   // @1
  close_windows();
}
// case 2: ok (flushed before)
static void flushed(void) {
  open_windows();
  if (!rank) MPI_Put(x, 1, MPI_INT, OWNER, 40, 1, MPI_INT, whole), MPI_Win_flush(OWNER, whole);
  cut(3);
  if (rank) MPI_Put(x, 1, MPI_INT, OWNER, 8, 1, MPI_INT, part);
  close_windows();
}
// case 3: rma.window-overlap (a flush of the other window completes nothing)
static void flushed_other(void) {
  open_windows();
  if (!rank) MPI_Put(x, 1, MPI_INT, OWNER, 40, 1, MPI_INT, whole), MPI_Win_flush(OWNER, part);   // @3
  cut(2);
  if (rank) MPI_Get(x, 1, MPI_INT, OWNER, 8, 1, MPI_INT, part);   // @3
  close_windows();
}
// case 4: ok (other bytes)
static void other_bytes(void) {
  open_windows();
  if (!rank) MPI_Put(x, 1, MPI_INT, OWNER, 40, 1, MPI_INT, whole);
  cut(2);
  if (rank) MPI_Get(x, 1, MPI_INT, OWNER, 9, 1, MPI_INT, part);
  close_windows();
}
// case 5: rma.race (detached under a put that is under way over the cuts)
static void detached(void) {
  MPI_Aint at = attach();
  if (!rank) MPI_Put(x, 1, MPI_INT, OWNER, at, 1, MPI_INT, dynamic);   // @5
  cut(2);
  if (rank == OWNER) MPI_Win_detach(dynamic, block);   // @5
  end_dynamic();
}
// case 6: ok (flushed before)
static void detached_later(void) {
  MPI_Aint at = attach();
  if (!rank) MPI_Put(x, 1, MPI_INT, OWNER, at, 1, MPI_INT, dynamic), MPI_Win_flush_all(dynamic);
  cut(2);
  if (rank == OWNER) MPI_Win_detach(dynamic, block);
  end_dynamic();
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {over, flushed, flushed_other, other_bytes, detached, detached_later};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) cases[i]();
  MPI_Finalize();
  return 0;
}
