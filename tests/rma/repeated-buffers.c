// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A place has the same buffer in use again and again (record/rma/parked-buffer.h). Between its operations the bytes are
// the program's, and during each of them they are not; also where other functions, datatypes, windows, targets or
// buffers come between, and where the memory was freed and got again (MPI-3.1 11.3).
#include <mpi.h>
#include <stdlib.h>

enum { TIMES = 40 };
static int rank, zero;
static MPI_Win win, other;
static volatile int sink, last = TIMES - 1;
#define AT_ONE if (rank == 1)
#define EACH for (int i = 0; i < TIMES; i++)
static void flush(void) { MPI_Win_flush(0, win); }

// case 1: ok (stores and loads behind each flush)
static void case_1(void) {
  static int x[8];
  AT_ONE EACH { MPI_Put(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win), flush(); if (i % 7 == 0) x[2]++, sink = x[1]; }
}
// case 2: rma.race-local (one store before the last flush)
static void case_2(void) {
  static int x[8];
  AT_ONE EACH {
    MPI_Put(x, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @2
    if (i == last) x[2] = 7;                         // @2
    flush();
  }
}
// case 3: ok (as long as it is elsewhere)
static void case_3(void) {
  static int x[8];
  AT_ONE EACH { MPI_Put(x, 4, MPI_INT, 0, 16, 4, MPI_INT, win); if (i == last) x[5] = 7; flush(); }
}
// case 4: rma.race-local (a load from what a get brings, the place was right 39 times)
static void case_4(void) {
  static int x[8];
  AT_ONE EACH {
    MPI_Get(x, 4, MPI_INT, 0, 24, 4, MPI_INT, win);   // @4
    if (i == last) sink = x[2];                       // @4
    flush();
    sink = x[2];
  }
}
// case 5: ok (a local variable of each turn)
static void case_5(void) {
  AT_ONE EACH { int x = i; MPI_Put(&x, 1, MPI_INT, 0, 32, 1, MPI_INT, win), flush(); x += zero; sink = x; }
}
// case 6: rma.race-local (another operation writes to the buffer that is in use for the 40th time)
static void case_6(void) {
  static int x[8];
  AT_ONE EACH {
    MPI_Put(x, 4, MPI_INT, 0, 40, 4, MPI_INT, win);                    // @6
    if (i == last) MPI_Get(x + 3, 1, MPI_INT, 0, 48, 1, MPI_INT, win);   // @6
    flush();
  }
}
// case 7: ok (the other operation comes behind the flush; the next put comes behind its own)
static void case_7(void) {
  static int x[8];
  AT_ONE EACH {
    MPI_Put(x, 4, MPI_INT, 0, 56, 4, MPI_INT, win), flush();
    MPI_Get(x + 3, 1, MPI_INT, 0, 64, 1, MPI_INT, win), flush();
  }
}
// case 8: ok (the memory is freed behind each flush)
static void case_8(void) {
  AT_ONE EACH {
    int *x = calloc(8, sizeof *x);
    MPI_Put(x, 4, MPI_INT, 0, 72, 4, MPI_INT, win), flush();
    x[1] = 1, free(x);
  }
}
// case 9: rma.race-local (only the other window is flushed the last time)
static void case_9(void) {
  static int x[8];
  AT_ONE EACH {
    MPI_Put(x, 4, MPI_INT, 0, 80, 4, MPI_INT, win);   // @9
    MPI_Win_flush(0, i == last ? other : win);
    x[0] = i;                                         // @9
  }
  AT_ONE flush();
}
// case 10: ok (more buffers than are kept, in turn)
static void case_10(void) {
  static int x[32];
  AT_ONE EACH { MPI_Put(&x[i % 32], 1, MPI_INT, 0, 88 + i % 32, 1, MPI_INT, win), flush(); x[i % 32]++; }
}
// case 11: rma.race-local (a window came and went meanwhile)
static void case_11(void) {
  static int x[8], y[8];
  for (int i = 0; i < 4; i++) {
    AT_ONE MPI_Put(x, 4, MPI_INT, 0, 128, 4, MPI_INT, win);   // @11
    AT_ONE if (i == 3) x[1] = i;                              // @11
    AT_ONE flush();
    MPI_Win around;
    MPI_Win_create(y, sizeof y, sizeof *y, MPI_INFO_NULL, MPI_COMM_WORLD, &around);
    y[0] = i;
    MPI_Win_free(&around);
  }
}
// case 12: ok (the buffer is window memory for a while, and is stored to meanwhile)
static void case_12(void) {
  static int x[8];
  for (int i = 0; i < 4; i++) {
    AT_ONE MPI_Put(x, 4, MPI_INT, 0, 136, 4, MPI_INT, win), flush();
    MPI_Win around;
    MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &around);
    AT_ONE MPI_Put(x, 4, MPI_INT, 0, 136, 4, MPI_INT, win), flush();
    x[0] = i;
    MPI_Win_free(&around);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int *base, *base2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(256 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_allocate(256 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base2, &other);
  MPI_Win_lock_all(0, win), MPI_Win_lock_all(0, other);
  case_1(), case_2(), case_3(), case_4(), case_5(), case_6(), case_7(), case_8(), case_9(), case_10(), case_11();
  case_12();
  MPI_Win_unlock_all(win), MPI_Win_unlock_all(other);
  MPI_Win_free(&win), MPI_Win_free(&other);
  MPI_Finalize();
  return 0;
}
