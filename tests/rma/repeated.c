// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// ONCE: rm -rf %t.logs && mkdir %t.logs && %mpirun-check --check-options keep_logs=1:log_dir=%t.logs:exitcode=0 -n 2 %t
// ONCE: %mpicc-check-log --kind=put,get,acc,sync,access --rank=0 %t.logs/* | %python -c "import sys; n = len(sys.stdin.readlines()); sys.exit(n > 800 and f'{n} events')"
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is repeated as it is leaves at most two copies in the log (some 250,000 events otherwise), and what is wrong in it is found.
#include <mpi.h>

enum { TIMES = 5000 };
static int rank, one = 1, result, *memory, flag;
static volatile int sink;
static MPI_Win win;
static void barrier(void) {
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
}

// case 1: ok (looks by MPI_Win_sync, then the flag)
static void case_1(void) {
  volatile int *look = memory;
  if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_Win_flush(0, win);
  for (int i = 0; rank == 0 && i < TIMES; i++) sink = *look, MPI_Win_sync(win);
}
// case 2: rma.race (the same without a loop's look: a put beside a store)
static void case_2(void) {
  volatile int *look = memory;
  if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, win), MPI_Win_flush(0, win); // @2
  for (int i = 0; rank == 0 && i < TIMES; i++) sink = look[0], MPI_Win_sync(win);
  if (rank == 0) memory[1] = 2; // @2
}
// case 3: ok (gets that see what comes, atomically)
static void case_3(void) {
  if (rank == 1) MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win), MPI_Win_flush(1, win);
  for (int i = 0; rank == 0 && i < TIMES; i++) {
    MPI_Fetch_and_op(&one, &result, MPI_INT, 1, 0, MPI_NO_OP, win);
    MPI_Win_flush(1, win);
  }
}
// case 4: rma.race (gets that do not)
static void case_4(void) {
  if (rank == 1) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win), MPI_Win_flush(1, win); // @4
  for (int i = 0; rank == 0 && i < TIMES; i++) {
    MPI_Get(&result, 1, MPI_INT, 1, 0, 1, MPI_INT, win); // @4
    MPI_Win_flush(1, win);
  }
}
// case 5: rma.race (a put of many: nothing completes them before the other one's load)
static void case_5(void) {
  for (int i = 0; rank == 0 && i < TIMES; i++) MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, win); // @5 @5
  MPI_Win_flush_all(win);
}
// case 6: ok (each is complete before the next)
static void case_6(void) {
  for (int i = 0; rank == 0 && i < TIMES; i++) {
    MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
  }
  barrier();
  if (rank == 1) sink = memory[2];
}
// case 7: rma.race-local (the buffer of a repeated get is used before its flush)
static void case_7(void) {
  for (int i = 0; rank == 0 && i < TIMES; i++) {
    MPI_Get(&result, 1, MPI_INT, 1, 3, 1, MPI_INT, win); // @7
    if (i == TIMES - 1) sink = result; // @7
    MPI_Win_flush(1, win);
  }
}
// case 8: rma.race (the repetition ends in its middle, with an operation that nothing completes in time)
static void case_8(void) {
  for (int i = 0; rank == 0 && i < TIMES; i++) {
    MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, win); // @8
    if (i < TIMES - 1) MPI_Win_flush(1, win);
  }
  barrier();
  if (rank == 1) sink = memory[2]; // @8
}
// case 9: ok (a probe that finds nothing between them)
static void case_9(void) {
  for (int i = 0; rank == 0 && i < 10; i++) {
    MPI_Get(&result, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int k = 0; k < 4; k++) memory[k] = 0;
    MPI_Win_lock_all(0, win);
    barrier();
    cases[i]();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  // A lock, a look and an unlock, with and without one.
  int *own;
  MPI_Win_allocate(4 * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  for (int i = 0; i < TIMES; i++) {
    MPI_Win_lock(rank ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Get(&result, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
  }
  MPI_Win_free(&win);
  // A long sequence: all slots of both ranks in turn.
  MPI_Win_allocate(4 * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  for (int i = 0; i < TIMES; i++) {
    MPI_Win_lock(MPI_LOCK_SHARED, i / 4 % 2, 0, win);
    MPI_Fetch_and_op(&one, &result, MPI_INT, i / 4 % 2, i % 4, MPI_NO_OP, win);
    MPI_Win_unlock(i / 4 % 2, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
