// CASES: // case (\d+):
// ONCE: %mpicc-check -O0 %s -o %t.0
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t.0 %s
// ONCE: %mpicc-check -O2 %s -o %t.2
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t.2 %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polling on a location that another process updates is right in the unified memory model (MPI-3.1 11.7), also by plain loads and without
// MPI_Win_sync; a load that waits for nothing is not.
#include <mpi.h>
#include <sched.h>
#include <stddef.h>

enum { SLOTS = 40 };
static int rank, one = 1, *memory;
static volatile int sink;
static MPI_Win win;
#define SET() if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_Win_flush(0, win)

// case 1: ok (the condition of a while, and MPI may go on)
static void case_1(void) {
  SET();
  int flag;
  if (rank == 0)
    while (memory[0] == 0) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}
// case 2: ok (of a do; found at the first look, behind the barrier)
static void case_2(void) {
  int flag, value;
  SET();
  if (rank == 0) do {
      MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      value = memory[0];
    } while (value != 1);
}
// case 3: ok (for ever, until)
static void case_3(void) {
  SET();
  if (rank == 0) for (;;) {
      if (memory[0]) break;
      MPI_Win_flush(0, win);
      sched_yield();
    }
}
// case 4: rma.race (no loop)
static void case_4(void) {
  SET();             // @4
  if (rank == 0 && memory[0]) sink = 1;   // @4
}
// case 5: rma.race (a loop that waits for nothing)
static void case_5(void) {
  int flag;
  SET();             // @5
  for (int i = 0; rank == 0 && i < 3; i++) {
    sink = memory[0];   // @5
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
}
// case 6: ok (a function of the program asks, as an or of two conditions)
static int is_there(int from) {
  int flag;
  MPI_Iprobe(from, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  return flag;
}
static void case_6(void) {
  SET();
  if (rank == 0)
    while (!is_there(1) && !memory[0]) {}
}
// case 7: rma.race (the function does more than ask)
static int calls;
static int count(void) { return ++calls; }
static void case_7(void) {
  SET();             // @7
  if (rank == 0)
    while (!is_there(1) && !memory[0]) count();   // @7
}
// case 8: rma.race (who reads so much waits for no flag, although MPI_Win_sync comes behind it)
static void case_8(void) {
  int sum = 0;
  SET();             // @8
  for (int i = 0; rank == 0 && i < SLOTS; i++)
    sum += memory[i];   // @8
  sink = sum;
  MPI_Win_sync(win);
}
// case 9: ok (a flag that was found at the first look, with other calls between the looks)
static void case_9(void) {
  SET();
  int value = 0, flag;
  while (rank == 0 && !value) {
    value = memory[0];
    MPI_Win_sync(win);
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    count();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate(SLOTS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    cases[i]();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
