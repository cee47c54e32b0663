// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of the buffers of operations that are not complete at their origin (MPI-3.1 11.3), and of those that are.
#include <mpi.h>
#include <stddef.h>

static int rank, *memory, value, spare;
static MPI_Win win;
static volatile int sink;
#define AT_ONE if (rank == 1)

// case 1: rma.race-local (put, store)
static void case_1(void) {
  static int x[8];
  AT_ONE MPI_Put(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win);   // @1
  AT_ONE x[2] = 7;                                        // @1
  AT_ONE MPI_Win_flush(0, win);
}
// case 2: ok (put, load: MPI only reads)
static void case_2(void) {
  static int x[8];
  AT_ONE MPI_Put(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
  AT_ONE sink = x[2];
  AT_ONE MPI_Win_flush(0, win);
}
// case 3: ok (the bytes beside it)
static void case_3(void) {
  static int x[8];
  AT_ONE MPI_Put(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
  AT_ONE x[4] = 7;
  AT_ONE MPI_Win_flush(0, win);
}
// case 4: ok (flush_local is enough)
static void case_4(void) {
  static int x[8];
  AT_ONE MPI_Put(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
  AT_ONE MPI_Win_flush_local(0, win);
  AT_ONE x[2] = 7;
}
// case 5: rma.race-local (the flush is of another target)
static void case_5(void) {
  static int x[8];
  AT_ONE MPI_Put(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win);   // @5
  AT_ONE MPI_Win_flush(2, win);
  AT_ONE x[2] = 7;                                        // @5
}
// case 6: ok (one buffer to two targets: all are flushed)
static void case_6(void) {
  static int x[8];
  for (int t = 0; rank == 1 && t < 3; t += 2) MPI_Put(x, 4, MPI_INT, t, 0, 4, MPI_INT, win);
  for (int t = 0; rank == 1 && t < 3; t += 2) MPI_Win_flush_local(t, win);
  AT_ONE x[2] = 7;
}
// case 7: rma.race-local (get, load)
static void case_7(void) {
  static int x[8];
  AT_ONE MPI_Get(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win);   // @7
  AT_ONE sink = x[3];                                     // @7
  AT_ONE MPI_Win_flush(0, win);
}
// case 8: ok
static void case_8(void) {
  static int x[8];
  AT_ONE MPI_Get(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
  AT_ONE MPI_Win_flush_local_all(win);
  AT_ONE sink = x[3];
}
// case 9: rma.race-local (the result of a fetch)
static void case_9(void) {
  static int x, y;
  AT_ONE MPI_Fetch_and_op(&x, &y, MPI_INT, 0, 0, MPI_SUM, win);   // @9
  AT_ONE sink = y;                                                // @9
  AT_ONE MPI_Win_flush(0, win);
}
// case 10: rma.race-local (its origin)
static void case_10(void) {
  static int x, y;
  AT_ONE MPI_Fetch_and_op(&x, &y, MPI_INT, 0, 0, MPI_SUM, win);   // @10
  AT_ONE x = 3;                                                   // @10
  AT_ONE MPI_Win_flush(0, win);
}
// case 11: ok (no origin is read with MPI_NO_OP)
static void case_11(void) {
  static int x, y;
  AT_ONE MPI_Fetch_and_op(&x, &y, MPI_INT, 0, 0, MPI_NO_OP, win);
  AT_ONE x = 3;
  AT_ONE MPI_Win_flush(0, win);
}
// case 12: rma.race-local (a request that was not waited for)
static void case_12(void) {
  static int x[8];
  MPI_Request request;
  AT_ONE MPI_Rget(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win, &request);   // @12
  AT_ONE sink = x[1];                                                // @12
  AT_ONE MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// case 13: ok
static void case_13(void) {
  static int x[8];
  MPI_Request request;
  AT_ONE MPI_Rget(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win, &request);
  AT_ONE MPI_Wait(&request, MPI_STATUS_IGNORE);
  AT_ONE sink = x[1];
}
// case 14: rma.race-local (within a function, behind a pointer)
static void fill(int *where) { where[1] = 5; }   // @14
static void case_14(void) {
  static int x[8];
  int *alias = x;
  AT_ONE MPI_Accumulate(x, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_SUM, win);   // @14
  AT_ONE fill(alias);
  AT_ONE MPI_Win_flush(0, win);
}
// case 15: ok (the gaps of a datatype)
static void case_15(void) {
  static int x[8];
  MPI_Datatype every_second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  AT_ONE MPI_Put(x, 1, every_second, 0, 0, 4, MPI_INT, win);
  AT_ONE x[1] = x[3] = 7;
  AT_ONE MPI_Win_flush(0, win);
  MPI_Type_free(&every_second);
}
// case 16: rma.race-local (what it covers)
static void case_16(void) {
  static int x[8];
  MPI_Datatype every_second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  AT_ONE MPI_Put(x, 1, every_second, 0, 0, 4, MPI_INT, win);   // @16
  AT_ONE x[4] = 7;                                             // @16
  AT_ONE MPI_Win_flush(0, win);
  MPI_Type_free(&every_second);
}
// Blocks that are not equally far apart: element i is at 2 * i or, each seventh, at 2 * i + 1.
enum { MANY = 6000, LAST = 2 * 5000 + (5000 % 7 == 3) };
static MPI_Datatype many_blocks(void) {
  static int at[MANY];
  MPI_Datatype type;
  for (int i = 0; i < MANY; i++) at[i] = 2 * i + (i % 7 == 3);
  MPI_Type_create_indexed_block(MANY, 1, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}
// case 17: rma.race-local (one of many blocks)
static void case_17(void) {
  static int x[2 * MANY];
  MPI_Datatype many = many_blocks();
  AT_ONE MPI_Put(x, 1, many, 0, 0, MANY, MPI_INT, win);   // @17
  AT_ONE x[LAST] = 7;                                     // @17
  AT_ONE MPI_Win_flush(0, win);
  MPI_Type_free(&many);
}
// case 18: ok (the gap behind it)
static void case_18(void) {
  static int x[2 * MANY];
  MPI_Datatype many = many_blocks();
  AT_ONE MPI_Put(x, 1, many, 0, 0, MANY, MPI_INT, win);
  AT_ONE x[LAST + 1] = 7;
  AT_ONE MPI_Win_flush(0, win);
  MPI_Type_free(&many);
}
// case 19: rma.race (one of many blocks at the target)
static void case_19(void) {
  static int x[MANY];
  MPI_Datatype many = many_blocks();
  AT_ONE MPI_Put(x, MANY, MPI_INT, 0, 0, 1, many, win);   // @19
  if (rank == 0) memory[LAST] = 7;                        // @19
  MPI_Type_free(&many);
}
// case 20: ok (the gap behind it)
static void case_20(void) {
  static int x[MANY];
  MPI_Datatype many = many_blocks();
  AT_ONE MPI_Put(x, MANY, MPI_INT, 0, 0, 1, many, win);
  if (rank == 0) memory[LAST + 1] = 7;
  MPI_Type_free(&many);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {case_1, case_2,  case_3,  case_4,  case_5,  case_6,  case_7,  case_8,
                                        case_9, case_10, case_11, case_12, case_13, case_14, case_15, case_16,
                                        case_17, case_18, case_19, case_20};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate(2 * MANY * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    cases[i]();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return value + spare;
}
