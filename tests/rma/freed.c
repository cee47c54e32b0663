// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What others do to memory that is freed meets a store: MPI_Win_free may follow at once, with a warning, but what is not known to be over may come too late.
#include <mpi.h>
#include <stdlib.h>

enum { N = 1 << 14 };
static int rank, x[4], *memory;
static MPI_Win win;

static void open_window(void) {
  memory = calloc(N, sizeof *memory);
  MPI_Win_create(memory, N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
}
static void release(void) { free(memory); }   // @1 @4

// case 1: rma.race (nothing says that the put is over)
static void pending(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @1
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
  if (!rank) release();
  MPI_Win_free(&win);
  if (rank) free(memory);
}
// case 2: rma.window-memory-early (no race: the barrier is behind its completion)
static void over(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  free(memory);   // @2
  MPI_Win_free(&win);
}
// case 3: ok (freed behind MPI_Win_free, which is a barrier)
static void behind(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @3
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  free(memory);   // @3
}
// case 4: rma.race (a get, too, finds something else there)
static void read(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, N - 1, 1, MPI_INT, win);   // @4
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
  if (!rank) release();
  MPI_Win_free(&win);
  if (rank) free(memory);
}
// case 5: rma.window-memory-early (no race: a fence completes it)
static void fenced(void) {
  open_window();
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  free(memory);   // @5
  MPI_Win_free(&win);
}
// case 6: rma.race (memory of a dynamic window that was not detached)
static void attached(void) {
  MPI_Aint at;
  memory = calloc(N, sizeof *memory);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (!rank) MPI_Win_attach(win, memory, N * sizeof *memory);
  MPI_Get_address(memory, &at);
  MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @6
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
  free(memory);   // @6
  MPI_Win_free(&win);
}
// case 7: rma.window-memory-early (moved, but nobody has touched it since the fence)
static void moved(void) {
  open_window();
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  memory = realloc(memory, 4 * N * sizeof *memory);   // @7
  MPI_Win_free(&win);
  free(memory);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pending(), over(), behind(), read(), fenced(), attached(), moved();
  MPI_Finalize();
  return 0;
}
