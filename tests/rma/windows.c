// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of windows, what lies beyond them, infos, and ways to write an access.
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

static int rank, x[64];
struct cell { int key; double value; };
static struct { int lead; struct cell cells[4]; } grid;

static MPI_Win create(void *base, MPI_Aint size, int unit, MPI_Info info) {
  MPI_Win win;
  MPI_Win_create(base, size, unit, info, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  return win;
}
static void done(MPI_Win *win) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(win);
}
static void put_at(MPI_Win win, int disp) {
  MPI_Put(x, 1, MPI_INT, 0, disp, 1, MPI_INT, win);   // @1 @13
}
static void set(int *p) {
  *p = 4;   // @10
}
static int deep(int ***p) {
  return ***p;   // @11
}

// case 1: rma.race (both in a function)
static void case_1(void) {
  static int memory[8];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  if (rank) put_at(win, 3);
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 2: rma.range (the target's window is smaller than ours)
static void case_2(void) {
  int *memory = malloc(64 * sizeof *memory);
  MPI_Win win = create(memory, (rank ? 64 : 8) * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 4, MPI_INT, 0, 6, 4, MPI_INT, win);   // @2
  if (rank == 2) MPI_Put(x, 2, MPI_INT, 0, 4, 2, MPI_INT, win);
  MPI_Win_unlock_all(win);
  done(&win);
  free(memory);
}
// case 3: rma.range (under fences)
static void case_3(void) {
  int *memory = malloc(64 * sizeof *memory);
  MPI_Win win = create(memory, (rank ? 64 : 8) * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(x, 4, MPI_INT, 0, 6, 4, MPI_INT, win);   // @3
  MPI_Win_fence(0, win);
  done(&win);
  free(memory);
}
// case 4: rma.race (displacement units differ from rank to rank: the target's counts)
static void case_4(void) {
  static char memory[64];
  MPI_Win win = create(memory, sizeof memory, rank ? 8 : 1, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @4
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 6, 1, MPI_INT, win);   // @4
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 5: ok (a dynamic window)
static void case_5(void) {
  static int memory[8];
  MPI_Win win;
  MPI_Aint at = 0;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (!rank) MPI_Win_attach(win, memory, sizeof memory);
  MPI_Get_address(memory, &at);
  MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  if (rank) MPI_Put(x, 1, MPI_INT, 0, MPI_Aint_add(at, rank * (MPI_Aint)sizeof(int)), 1, MPI_INT, win);   // @5
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) MPI_Win_detach(win, memory);
  done(&win);
}
// case 6: rma.race (a dynamic window)
static void case_6(void) {
  static int memory[8];
  MPI_Win win;
  MPI_Aint at = 0;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (!rank) MPI_Win_attach(win, memory, sizeof memory);
  MPI_Get_address(memory, &at);
  MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @6
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @6
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) MPI_Win_detach(win, memory);
  done(&win);
}
// case 7: rma.window-overlap (one place through two windows)
static void case_7(void) {
  static int memory[8];
  MPI_Win a = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL), b = create(memory + 2, 4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, a);
  MPI_Win_lock_all(0, b);
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, a);   // @7
  if (rank == 2) MPI_Accumulate(x, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, b);   // @7
  MPI_Win_unlock_all(b);
  MPI_Win_unlock_all(a);
  done(&b);
  done(&a);
}
// case 8: ok (two places through two windows)
static void case_8(void) {
  static int memory[8];
  MPI_Win a = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL), b = create(memory + 2, 4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, a);
  MPI_Win_lock_all(0, b);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, a);   // @8
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, b);   // @8
  MPI_Win_unlock_all(b);
  MPI_Win_unlock_all(a);
  done(&b);
  done(&a);
}
// case 9: rma.atomicity (the window promises the same operation everywhere, so not even MPI_NO_OP beside it)
static void case_9(void) {
  static int memory[8];
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ops", "same_op");
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, info);
  MPI_Info_free(&info);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);   // @9
  if (rank == 2) MPI_Fetch_and_op(NULL, x + 1, MPI_INT, 0, 3, MPI_NO_OP, win);   // @9
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 10: rma.race (a store through a pointer)
static void case_10(void) {
  static int memory[8];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  int *alias = memory + 1;
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @10
  if (!rank) set(alias + 2);
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 11: rma.race (a load through a pointer to a pointer to a pointer)
static void case_11(void) {
  static int memory[8];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  int *p = memory + 3, **pp = &p;
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @11
  if (!rank) x[5] = deep(&pp);
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 12: rma.race (a member of a struct)
static void case_12(void) {
  MPI_Win win = create(&grid, sizeof grid, 1, MPI_INFO_NULL);
  double v = 1;
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(&v, 1, MPI_DOUBLE, 0, offsetof(struct cell, value) + (char *)&grid.cells[2] - (char *)&grid, 1, MPI_DOUBLE, win);   // @12
  if (!rank) grid.cells[2].value = 2;   // @12
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 13: ok (another member)
static void case_13(void) {
  MPI_Win win = create(&grid, sizeof grid, 1, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  if (rank == 1) put_at(win, offsetof(struct cell, key) + (char *)&grid.cells[2] - (char *)&grid);
  if (!rank) grid.cells[2].value = 2;
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 14: rma.race (a whole array against one element)
static void case_14(void) {
  static int memory[64];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Get(x, 64, MPI_INT, 0, 0, 64, MPI_INT, win);   // @14
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 63, 1, MPI_INT, win);   // @14
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 15: ok (a sub-communicator's window: ranks are its own)
static void case_15(void) {
  int *memory;
  MPI_Comm upper;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, -rank, &upper);
  MPI_Win win;
  MPI_Win_allocate(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, upper, &memory, &win);
  MPI_Win_lock_all(0, win);
  MPI_Put(x, 1, MPI_INT, 0, rank, 1, MPI_INT, win);   // @15
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&upper);
}
// case 16: rma.race (a named window)
static void case_16(void) {
  static int memory[8];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_set_name(win, "halo");
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);   // @16
  if (rank == 0) MPI_Put(x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);   // @16
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 17: rma.atomicity (accumulates in another order than the default: the window gave it up)
static void case_17(void) {
  static int memory[8];
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ordering", "none");
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, info);
  MPI_Info_free(&info);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);   // @17
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_REPLACE, win);   // @17
  MPI_Win_unlock_all(win);
  done(&win);
}

// case 18: arg.assert (there was a store)
static void case_18(void) {
  static int memory[8];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_fence(0, win);
  memory[1] = rank;
  MPI_Win_fence(MPI_MODE_NOSTORE, win);   // @18
  done(&win);
}
// case 19: arg.assert (there will be a put)
static void case_19(void) {
  static int memory[8];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_fence(rank ? 0 : MPI_MODE_NOPUT, win);   // @19
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  done(&win);
}
// case 20: ok (assertions that are true)
static void case_20(void) {
  static int memory[8];
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  memory[1] = rank;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
  if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
  done(&win);
}
// case 21: ok (a volatile flag is polled; the data come before it)
static void case_21(void) {
  static volatile int memory[8];
  memory[1] = 0;
  int one = 1;
  MPI_Win win = create((void *)memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  if (rank == 1) {
    MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @21
    MPI_Win_flush(0, win);
    MPI_Put(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, win);   // @21
    MPI_Win_flush(0, win);
  }
  while (!rank && !memory[1]) MPI_Win_sync(win);   // @21
  if (!rank) x[3] = memory[3];   // @21
  MPI_Win_unlock_all(win);
  done(&win);
}
// case 22: ok (and a plain one in a loop over MPI_Win_sync)
static void case_22(void) {
  static int memory[8];
  memory[1] = 0;
  int one = 1;
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_lock_all(0, win);
  if (rank == 1) {
    MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @22
    MPI_Win_flush(0, win);
    MPI_Put(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, win);   // @22
    MPI_Win_flush(0, win);
  }
  for (int seen = 0; !rank && !seen;) {
    seen = memory[1];   // @22
    MPI_Win_sync(win);
  }
  if (!rank) x[3] = memory[3];   // @22
  MPI_Win_unlock_all(win);
  done(&win);
}

// case 23: rma.atomicity (one fence epoch: two basic types in one place)
static void case_23(void) {
  static int memory[8];
  static float f;
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);   // @23
  if (rank == 2) MPI_Accumulate(&f, 1, MPI_FLOAT, 0, 3, 1, MPI_FLOAT, MPI_SUM, win);   // @23
  MPI_Win_fence(0, win);
  done(&win);
}
// case 24: ok (one basic type, whatever it is made up to)
static void case_24(void) {
  static int memory[8];
  MPI_Datatype pair, gaps;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_vector(2, 1, 2, pair, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Accumulate(x, 8, MPI_INT, 0, 0, 8, MPI_INT, MPI_SUM, win);
  if (rank == 2) MPI_Accumulate(x, 1, gaps, 0, 0, 1, gaps, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Type_free(&pair);
  MPI_Type_free(&gaps);
  done(&win);
}
static MPI_Win create_with(void *memory, const char *key, const char *value) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, value);
  MPI_Win win = create(memory, 8 * sizeof(int), sizeof(int), info);
  MPI_Info_free(&info);
  MPI_Win_fence(0, win);
  return win;
}
// case 25: rma.atomicity (one fence epoch: same_op forbids MPI_NO_OP beside another operation)
static void case_25(void) {
  static int memory[8];
  MPI_Win win = create_with(memory, "accumulate_ops", "same_op");
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);   // @25
  if (rank == 2) MPI_Fetch_and_op(NULL, x, MPI_INT, 0, 3, MPI_NO_OP, win);   // @25
  MPI_Win_fence(0, win);
  done(&win);
}
// case 26: ok (the default allows it)
static void case_26(void) {
  static int memory[8];
  MPI_Win win = create_with(memory, "accumulate_ops", "same_op_no_op");
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);
  if (rank == 2) MPI_Fetch_and_op(NULL, x, MPI_INT, 0, 3, MPI_NO_OP, win);
  MPI_Win_fence(0, win);
  done(&win);
}
// case 27: rma.atomicity (one fence epoch: accumulates of one origin in no order)
static void case_27(void) {
  static int memory[8];
  MPI_Win win = create_with(memory, "accumulate_ordering", "rar,raw");
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);   // @27
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_REPLACE, win);   // @27
  MPI_Win_fence(0, win);
  done(&win);
}
// case 28: ok (that order was not given up)
static void case_28(void) {
  static int memory[8];
  MPI_Win win = create_with(memory, "accumulate_ordering", "waw");
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_fence(0, win);
  done(&win);
}
// case 29: arg.assert (there will be a put, of several pieces)
static void case_29(void) {
  static int memory[8];
  MPI_Datatype gaps;
  MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Win win = create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL);
  MPI_Win_fence(rank ? 0 : MPI_MODE_NOPUT, win);   // @29
  if (rank == 1) MPI_Put(x, 1, gaps, 0, 3, 1, gaps, win);
  MPI_Win_fence(0, win);
  MPI_Type_free(&gaps);
  done(&win);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  case_1(), case_2(), case_3(), case_4(), case_5(), case_6(), case_7(), case_8(), case_9(), case_10(), case_11(), case_12(), case_13(), case_14();
  case_15(), case_16(), case_17(), case_18(), case_19(), case_20(), case_21(), case_22();
  case_23(), case_24(), case_25(), case_26(), case_27(), case_28(), case_29();
  MPI_Finalize();
  return 0;
}
