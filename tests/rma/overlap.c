// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two windows that share memory, synchronized by fences (MPI-3.1 11.7), and some that do not, or not at the same time.
#include <mpi.h>

static int rank, x[4], y[4];
static MPI_Win whole, part;

static void open_windows(int *memory) { // bytes 32 to 63 are in both
  MPI_Win_create(memory, 64 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &whole);
  MPI_Win_create(memory + 8, 8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &part);
}
static void close_windows(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&whole), MPI_Win_free(&part);
}
static void fence(int assertion) { MPI_Win_fence(assertion, whole), MPI_Win_fence(assertion, part); }

// case 1: rma.window-overlap (in one phase)
static void case_1(void) {
  static int memory[64];
  open_windows(memory);
  fence(0);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 10, 1, MPI_INT, whole);   // @1
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 2, 1, MPI_INT, part);   // @1
  fence(MPI_MODE_NOSUCCEED);
  close_windows();
}
// case 2: ok (a fence between them)
static void case_2(void) {
  static int memory[64];
  open_windows(memory);
  fence(0);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 10, 1, MPI_INT, whole);   // @2
  fence(0);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 2, 1, MPI_INT, part);   // @2
  fence(MPI_MODE_NOSUCCEED);
  close_windows();
}
// case 3: ok (other bytes)
static void case_3(void) {
  static int memory[64];
  open_windows(memory);
  fence(0);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 10, 1, MPI_INT, whole);   // @3
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, part);   // @3
  fence(MPI_MODE_NOSUCCEED);
  close_windows();
}
// case 4: rma.window-overlap (one of them is locked)
static void case_4(void) {
  static int memory[64];
  open_windows(memory);
  MPI_Win_fence(0, whole);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 10, 1, MPI_INT, whole);   // @4
  if (rank == 2) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, part);
    MPI_Get(x, 1, MPI_INT, 0, 2, 1, MPI_INT, part);   // @4
    MPI_Win_unlock(0, part);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, whole);
  close_windows();
}
// case 5: ok (gets)
static void case_5(void) {
  static int memory[64];
  open_windows(memory);
  fence(0);
  if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, 10, 1, MPI_INT, whole);   // @5
  if (rank == 2) MPI_Get(y, 1, MPI_INT, 0, 2, 1, MPI_INT, part);   // @5
  fence(MPI_MODE_NOSUCCEED);
  close_windows();
}
// case 6: ok (windows of the same memory, one after the other)
static void case_6(void) {
  static int memory[64];
  for (int i = 0; i < 3; i++) {
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &whole);
    MPI_Win_fence(0, whole);
    if (rank == i) MPI_Put(x, 1, MPI_INT, 0, 10, 1, MPI_INT, whole);   // @6
    MPI_Win_fence(MPI_MODE_NOSUCCEED, whole);
    MPI_Win_free(&whole);
  }
}
// case 7: rma.race (a store of the owner, told once)
static void case_7(void) {
  static int memory[64];
  open_windows(memory);
  fence(0);
  if (rank == 0) memory[10] = 3;   // @7
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 2, 1, MPI_INT, part);   // @7
  fence(MPI_MODE_NOSUCCEED);
  close_windows();
}
// case 8: rma.window-overlap (accumulates, too, and two of one rank)
static void case_8(void) {
  static int memory[64];
  open_windows(memory);
  fence(0);
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 10, 1, MPI_INT, MPI_SUM, whole);   // @8
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, part);   // @8
  fence(MPI_MODE_NOSUCCEED);
  close_windows();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  case_1(), case_2(), case_3(), case_4(), case_5(), case_6(), case_7(), case_8();
  MPI_Finalize();
  return 0;
}
