// CASES: // case (\d+):
// ONCE: %mpicc-check -O3 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared windows that only fences synchronize: loads and stores of a neighbour's part, through pointers in structs, by
// vector code and by memcpy (MPI-3.1 11.2.3).
#include <mpi.h>
#include <string.h>

enum { N = 256 };
static struct { int *data; int n; } cells[3];
static int rank, sink[N], x[4];
static MPI_Win win;

static int *open_window(void) {
  int *own, unit;
  MPI_Aint size;
  MPI_Win_allocate_shared(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  for (int r = 0; r < 3; r++) MPI_Win_shared_query(win, r, &size, &unit, &cells[r].data), cells[r].n = N;
  MPI_Win_fence(0, win);
  return own;
}
static void close_window(void) {
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}
// case 1: rma.race (loops of vector code)
static void case_1(void) {
  int *own = open_window();
  if (!rank) for (int i = 0; i < N; i++) own[i] = i;   // @1
  if (rank == 1) for (int i = 0; i < cells[0].n; i++) sink[i] += cells[0].data[i];   // @1
  close_window();
}
// case 2: rma.race (memcpy)
static void case_2(void) {
  int *own = open_window();
  if (!rank) for (int i = 0; i < N; i++) own[i] = i;   // @2
  if (rank == 1) memcpy(sink, cells[0].data, sizeof sink);   // @2
  close_window();
}
// case 3: rma.race (two stores)
static void case_3(void) {
  int *own = open_window();
  if (!rank) memset(own, 1, 64);   // @3
  if (rank == 1) cells[0].data[2] = 5;   // @3
  close_window();
}
// case 4: ok (other elements)
static void case_4(void) {
  int *own = open_window();
  if (!rank) own[3] = 1;   // @4
  if (rank == 1) sink[0] = cells[0].data[4];   // @4
  close_window();
}
// case 5: ok (a fence between them)
static void case_5(void) {
  int *own = open_window();
  if (!rank) for (int i = 0; i < N; i++) own[i] = i;   // @5
  MPI_Win_fence(0, win);
  if (rank == 1) for (int i = 0; i < cells[0].n; i++) sink[i] += cells[0].data[i];   // @5
  close_window();
}
// case 6: rma.race (a put to a third rank's part)
static void case_6(void) {
  open_window();
  if (!rank) MPI_Put(x, 4, MPI_INT, 2, 0, 4, MPI_INT, win);   // @6
  if (rank == 1) sink[0] = cells[2].data[2];   // @6
  close_window();
}
// case 7: ok (a barrier between a store and a load: both are over at once)
static void case_7(void) {
  int *own = open_window();
  if (!rank) own[3] = 1;   // @7
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) sink[0] = cells[0].data[3];   // @7
  close_window();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  case_1(), case_2(), case_3(), case_4(), case_5(), case_6(), case_7();
  MPI_Finalize();
  return sink[1] == 77;
}
