// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: env MPICC_CHECK_OPTIONS=pedantic=1 %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores and loads of different ranks in a shared window, ordered by barriers and messages, with and without
// MPI_Win_sync or another synchronization of the window on either side (MPI-3.1 11.2.3, 11.5.4).
#include <mpi.h>
#include <stddef.h>

static int rank, *memory, *first, *more, x[8];
static MPI_Win win, other;

static void open_windows(void) {
  MPI_Aint size;
  int unit;
  MPI_Win_allocate_shared(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_shared_query(win, 0, &size, &unit, &first);
  MPI_Win_allocate_shared(8 * sizeof *more, sizeof *more, MPI_INFO_NULL, MPI_COMM_WORLD, &more, &other);
  more[0] = 0;
  MPI_Win_lock_all(0, win);
  MPI_Win_lock_all(0, other);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void close_windows(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(other);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
}
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void synchronize(void) { MPI_Win_sync(win); }
static void tell(int from, int to) {
  char byte = 0;
  if (rank == from) MPI_Send(&byte, 1, MPI_CHAR, to, 3, MPI_COMM_WORLD);
  if (rank == to) MPI_Recv(&byte, 1, MPI_CHAR, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static int count(int by) { // an atomic operation on the other window
  int old;
  MPI_Fetch_and_op(&by, &old, MPI_INT, 0, 0, by ? MPI_SUM : MPI_NO_OP, other);
  MPI_Win_flush(0, other);
  return old;
}

// case 1: rma.sync-missing (a barrier alone)
static void case_1(void) {
  if (rank == 1) first[3] = 1;   // @1
  barrier();
  if (!rank) x[0] = memory[3];   // @1
}
// case 2: ok (both synchronize)
static void case_2(void) {
  if (rank == 1) first[3] = 1;   // @2
  synchronize();
  barrier();
  synchronize();
  if (!rank) x[0] = memory[3];   // @2
}
// case 3: rma.sync-missing (the storing rank alone)
static void case_3(void) {
  if (rank == 1) first[3] = 1;   // @3
  if (rank == 1) synchronize();
  barrier();
  if (!rank) x[0] = memory[3];   // @3
}
// case 4: rma.sync-missing (the loading rank alone)
static void case_4(void) {
  if (rank == 1) first[3] = 1;   // @4
  barrier();
  if (!rank) synchronize();
  if (!rank) x[0] = memory[3];   // @4
}
// case 5: rma.sync-missing (both before the barrier)
static void case_5(void) {
  if (rank == 1) first[3] = 1;   // @5
  synchronize();
  barrier();
  if (!rank) x[0] = memory[3];   // @5
}
// case 6: rma.sync-missing (both behind the barrier)
static void case_6(void) {
  if (rank == 1) first[3] = 1;   // @6
  barrier();
  synchronize();
  if (!rank) x[0] = memory[3];   // @6
}
// case 7: rma.sync-missing (the storing rank before its store)
static void case_7(void) {
  if (rank == 1) synchronize();
  if (rank == 1) first[3] = 1;   // @7
  barrier();
  synchronize();
  if (!rank) x[0] = memory[3];   // @7
}
// case 8: rma.sync-missing (a message alone)
static void case_8(void) {
  if (rank == 1) first[3] = 1;   // @8
  tell(1, 0);
  if (!rank) x[0] = memory[3];   // @8
}
// case 9: ok (a message, both synchronize)
static void case_9(void) {
  if (rank == 1) first[3] = 1;   // @9
  if (rank == 1) synchronize();
  tell(1, 0);
  if (!rank) synchronize();
  if (!rank) x[0] = memory[3];   // @9
}
// case 10: ok (messages by way of a third rank)
static void case_10(void) {
  if (rank == 1) first[3] = 1;   // @10
  synchronize();
  tell(1, 2);
  tell(2, 0);
  if (!rank) synchronize();
  if (!rank) x[0] = memory[3];   // @10
}
// case 11: rma.sync-missing (only the third rank on the way synchronizes)
static void case_11(void) {
  if (rank == 1) first[3] = 1;   // @11
  tell(1, 2);
  if (rank == 2) synchronize();
  tell(2, 0);
  if (!rank) x[0] = memory[3];   // @11
}
// case 12: ok (the storing rank between two barriers, the loading rank behind the second)
static void case_12(void) {
  if (rank == 1) first[3] = 1;   // @12
  barrier();
  if (rank == 1) synchronize();
  barrier();
  if (!rank) synchronize();
  if (!rank) x[0] = memory[3];   // @12
}
// case 13: ok (MPI_Win_flush and its like)
static void case_13(void) {
  if (rank == 1) first[3] = 1;   // @13
  MPI_Win_flush_all(win);
  barrier();
  MPI_Win_flush(0, win);
  if (!rank) x[0] = memory[3];   // @13
}
// case 14: ok (the epoch ends, and another one begins)
static void case_14(void) {
  if (rank == 1) first[3] = 1;   // @14
  MPI_Win_unlock_all(win);
  barrier();
  MPI_Win_lock_all(0, win);
  if (!rank) x[0] = memory[3];   // @14
}
// case 15: rma.sync-missing (MPI_MODE_NOCHECK changes nothing)
static void case_15(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  if (rank == 1) first[3] = 1;   // @15
  barrier();
  if (!rank) x[0] = memory[3];   // @15
}
// case 16: rma.sync-missing (locks of one target)
static void case_16(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  if (rank == 1) first[3] = 1;   // @16
  barrier();
  if (!rank) x[0] = memory[3];   // @16
  MPI_Win_unlock(0, win);
  MPI_Win_lock_all(0, win);
}
// case 17: ok (fences)
static void case_17(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_fence(0, win);
  if (rank == 1) first[3] = 1;   // @17
  MPI_Win_fence(0, win);
  if (!rank) x[0] = memory[3];   // @17
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock_all(0, win);
}
// case 18: ok (outside of epochs nothing is said)
static void case_18(void) {
  MPI_Win_unlock_all(win);
  barrier();
  if (rank == 1) first[3] = 1;   // @18
  barrier();
  if (!rank) x[0] = memory[3];   // @18
  barrier();
  MPI_Win_lock_all(0, win);
}
// case 19: rma.sync-missing (the owner stores, another rank loads)
static void case_19(void) {
  if (!rank) memory[3] = 1;   // @19
  barrier();
  if (rank == 1) x[0] = first[3];   // @19
}
// case 20: rma.sync-missing (in the memory of a third)
static void case_20(void) {
  if (rank == 2) first[3] = 1;   // @20
  barrier();
  if (rank == 1) x[0] = first[3];   // @20
}
// case 21: ok (other elements)
static void case_21(void) {
  if (rank == 1) first[4] = 1;   // @21
  barrier();
  if (!rank) x[0] = memory[3];   // @21
}
// case 22: ok (the load comes first)
static void case_22(void) {
  if (!rank) x[0] = memory[3];   // @22
  barrier();
  if (rank == 1) first[3] = 1;   // @22
}
// case 23: ok (its own store)
static void case_23(void) {
  if (!rank) memory[3] = 1;   // @23
  barrier();
  if (!rank) x[0] = memory[3];   // @23
}
// case 24: ok (a volatile load)
static void case_24(void) {
  if (rank == 1) first[3] = 1;   // @24
  barrier();
  if (!rank) x[0] = *(volatile int *)&memory[3];   // @24
}
// case 25: rma.sync-missing (another window is synchronized)
static void case_25(void) {
  if (rank == 1) first[3] = 1;   // @25
  MPI_Win_sync(other);
  barrier();
  MPI_Win_sync(other);
  if (!rank) x[0] = memory[3];   // @25
}
// case 26: rma.sync-missing (a loop)
static void case_26(void) {
  for (int i = 0; i < 20; i++) {
    if (rank == 1) first[3] = i;   // @26
    barrier();
    if (!rank) x[0] += memory[3];   // @26
    barrier();
  }
}
// case 27: ok (a loop, both synchronize)
static void case_27(void) {
  for (int i = 0; i < 20; i++) {
    if (rank == 1) first[3] = i;   // @27
    synchronize(), barrier(), synchronize();
    if (!rank) x[0] += memory[3];   // @27
    synchronize(), barrier(), synchronize();
  }
}
// case 28: ok (an atomic operation tells of a synchronization behind the barrier)
static void case_28(void) {
  if (rank == 1) first[3] = 1;   // @28
  barrier();
  if (rank == 1) synchronize(), count(1);
  if (!rank) {
    while (!count(0)) continue;
    synchronize();
    x[0] = memory[3];   // @28
  }
}
// case 29: ok (an atomic operation tells of the store before the barrier)
static void case_29(void) {
  if (rank == 1) first[3] = 1;   // @29
  if (rank == 1) synchronize(), count(1);
  if (!rank) {
    while (!count(0)) continue;
    synchronize();
  }
  barrier();
  if (!rank) x[0] = memory[3];   // @29
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {
      case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9, case_10, case_11, case_12, case_13,
      case_14, case_15, case_16, case_17, case_18, case_19, case_20, case_21, case_22, case_23, case_24, case_25,
      case_26, case_27, case_28, case_29};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    open_windows();
    cases[i]();
    close_windows();
  }
  MPI_Finalize();
  return 0;
}
