// CASES: // case (\d+):
// ONCE: %mpicxx-check -O0 %s -o %t
// ONCE: %mpicxx-check -O2 %s -o %t.2
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t.2 %s | FileCheck --check-prefix=O2 %s
// O2: 16 cases, 0 wrong
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// pairs: buffer.modified-in-use
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local variables that MPI uses when longjmp or an exception leaves their function (MPI-3.1 3.7.2, 11.3; C11 7.13.2.1).
// Nobody uses the bytes again, and the next calls are made from functions further out. Each case has the right twin
// behind it.
#include <mpi.h>
#include <csetjmp>
#include <cstdlib>

static int rank, one = 1, sink[64];
static MPI_Win win;
static MPI_Request request;
static jmp_buf place;
#define NOINLINE __attribute__((noinline, weak))

NOINLINE void isend(int *from, int n) { MPI_Isend(from, n, MPI_INT, 0, 1, MPI_COMM_SELF, &request); }
static void take(int n) { MPI_Recv(sink, n, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); }
static void wait_one() { MPI_Wait(&request, MPI_STATUS_IGNORE); }
NOINLINE void jump() { longjmp(place, 1); }
NOINLINE void raise() {
  if (one) throw one;
}

// case 1: buffer.modified-in-use
NOINLINE void start_1() {
  int x[4] = {one};
  MPI_Isend(x, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @1
  jump();
}
static void case_1() {
  if (!setjmp(place)) start_1();   // @1
  take(4), wait_one();
}
// case 2: ok (it is complete when the function is left)
NOINLINE void start_2() {
  int x[4] = {one};
  isend(x, 4);
  take(4), wait_one();
  jump();
}
static void case_2() {
  if (!setjmp(place)) start_2();
}
// case 3: buffer.modified-in-use
NOINLINE void start_3() {
  int x[4] = {one};
  MPI_Isend(x, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @3
  raise();
}
static void case_3() {
  try {
    start_3();
  } catch (int) {   // @3
    take(4), wait_one();
  }
}
// case 4: ok (the variable is one of the function with the handler)
NOINLINE void start_4(int *x) {
  isend(x, 4);
  raise();
}
static void case_4() {
  int x[4] = {one};
  try {
    start_4(x);
  } catch (int) {
    take(4), wait_one();
  }
}
// case 5: rma.race-local
NOINLINE void start_5() {
  int x = one;
  MPI_Put(&x, 1, MPI_INT, rank, 5, 1, MPI_INT, win);   // @5
  raise();
}
static void case_5() {
  try {
    start_5();
  } catch (...) {   // @5
    sink[0] = 1;
  }
  MPI_Win_flush(rank, win);
}
// case 6: ok
NOINLINE void start_6() {
  int x = one;
  MPI_Put(&x, 1, MPI_INT, rank, 6, 1, MPI_INT, win);
  MPI_Win_flush_local(rank, win);
  raise();
}
static void case_6() {
  try {
    start_6();
  } catch (...) {
    sink[0] = 1;
  }
  MPI_Win_flush(rank, win);
}
// case 7: rma.race-local (through a function of the C library, which has no code for exceptions)
NOINLINE int compare_7(const void *, const void *) {
  int x[2] = {one};
  MPI_Get(x, 2, MPI_INT, rank, 7, 2, MPI_INT, win);   // @7
  jump();
  return 0;
}
static void case_7() {
  int sorted[2] = {2, 1};
  if (!setjmp(place))   // @7
    qsort(sorted, 2, sizeof *sorted, compare_7);
  MPI_Win_flush(rank, win);
}
// case 8: ok (the function with setjmp, and those that called it, have theirs)
NOINLINE int compare_8(const void *, const void *) {
  jump();
  return 0;
}
NOINLINE void sort_8(int *sorted) {
  int own[2];
  MPI_Get(own, 2, MPI_INT, rank, 7, 2, MPI_INT, win);
  if (!setjmp(place)) qsort(sorted, 2, sizeof *sorted, compare_8);
  MPI_Win_flush(rank, win);
}
static void case_8() {
  int sorted[2] = {2, 1}, x[2] = {one, one};
  isend(x, 2);
  sort_8(sorted);
  take(2), wait_one();
}
// case 9: rma.window-memory-early
NOINLINE void start_9(MPI_Win *own) {
  int x[8] = {one};
  MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, own);
  jump();
}
static void case_9() {
  static MPI_Win own;
  if (!setjmp(place)) start_9(&own);   // @9
  MPI_Win_free(&own);
}
// case 10: ok
NOINLINE void start_10() {
  int x[8] = {one};
  MPI_Win own;
  MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &own);
  MPI_Win_free(&own);
  jump();
}
static void case_10() {
  if (!setjmp(place)) start_10();
}
// case 11: buffer.modified-in-use (the second time)
NOINLINE void start_11(int n) {
  int x[4] = {n};
  if (n == 1) raise();
  MPI_Isend(x, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @11
  if (n != 2) take(4), wait_one();
  raise();
}
static void case_11() {
  for (int i = 0; i < 3; i++)
    try {
      start_11(i);
    } catch (int) {   // @11
      sink[0] = i;
    }
  take(4), wait_one();
}
// case 12: ok (the handler is in the function)
NOINLINE void start_12(int n) {
  int x[4] = {n};
  isend(x, 4);
  try {
    raise();
  } catch (int) {
    sink[0] = n;
  }
  take(4), wait_one();
}
static void case_12() {
  for (int i = 0; i < 3; i++) start_12(i);
}
// case 13: buffer.modified-in-use (the block is left, and its function goes on)
static void case_13() {
  try {
    int x[4] = {one};
    MPI_Isend(x, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @13
    raise();
  } catch (int) {   // @13
    take(4), wait_one();
  }
}
// case 14: ok
static void case_14() {
  int x[4] = {one};
  try {
    isend(x, 4);
    raise();
  } catch (int) {
    take(4), wait_one();
  }
}
// case 15: buffer.modified-in-use (sigsetjmp, and a frame between)
NOINLINE void start_15(sigjmp_buf *where) {
  int x[4] = {one};
  MPI_Isend(x, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @15
  siglongjmp(*where, 1);
}
NOINLINE void between_15(sigjmp_buf *where) {
  start_15(where);
  sink[0] = 1;
}
static void case_15() {
  static sigjmp_buf where;
  if (!sigsetjmp(where, 1)) between_15(&where);   // @15
  take(4), wait_one();
}
// case 16: ok (memory of the heap)
NOINLINE void start_16(int **x) {
  *x = static_cast<int *>(calloc(4, sizeof **x));
  isend(*x, 4);
  jump();
}
static void case_16() {
  static int *x;
  if (!setjmp(place)) start_16(&x);
  take(4), wait_one();
  free(x);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int *base;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(64 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_lock_all(0, win);
  case_1(), case_2(), case_3(), case_4(), case_5(), case_6(), case_7(), case_8();
  case_9(), case_10(), case_11(), case_12(), case_13(), case_14(), case_15(), case_16();
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
