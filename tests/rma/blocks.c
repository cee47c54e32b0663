// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %mpicc-check -O3 %s -o %t.3
// ONCE: %mpicc-check %s -o %t.0
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t.0 %s | FileCheck --check-prefix=O3 %s
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t.3 %s | FileCheck --check-prefix=O3 %s
// O3: 38 cases, 0 wrong
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// pairs: buffer.modified-in-use
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local variables that MPI uses when their block, or the function that was inlined, has ended (MPI-3.1 3.7.2, 11.3;
// C11 6.2.4). Nobody uses the bytes again, and the frame lives on. Each case has the right twin behind it.
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

static int rank, memory[64], zero, one = 1;
static volatile int nine = 9;
static MPI_Win win;
static MPI_Request request, requests[4];
static jmp_buf place;
static int sink[64];
#define NOINLINE __attribute__((noinline, weak))

static void isend(int *from, int n, MPI_Request *to) { MPI_Isend(from, n, MPI_INT, 0, 1, MPI_COMM_SELF, to); }
static void irecv(int *into, int n, MPI_Request *to) { MPI_Irecv(into, n, MPI_INT, 0, 1, MPI_COMM_SELF, to); }
static void take(int n) { MPI_Recv(sink, n, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); }
static void give(int n) { MPI_Send(sink, n, MPI_INT, 0, 1, MPI_COMM_SELF); }
static void wait_one(void) { MPI_Wait(&request, MPI_STATUS_IGNORE); }

// case 1: buffer.modified-in-use
static void case_1(void) {
  {
    int x = one;
    MPI_Isend(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @1
  }                                                              // @1
  take(1), wait_one();
}
// case 2: ok (it is complete in the block)
static void case_2(void) {
  {
    int x = one;
    isend(&x, 1, &request);
    take(1), wait_one();
  }
}
// case 3: rma.race-local
static void case_3(void) {
  {
    int x = one;
    MPI_Put(&x, 1, MPI_INT, rank, 3, 1, MPI_INT, win);   // @3
  }                                                    // @3
  MPI_Win_flush(rank, win);
}
// case 4: ok
static void case_4(void) {
  for (int i = 0; i < 3; i++) {
    int x = one + i;
    MPI_Put(&x, 1, MPI_INT, rank, 4 + i, 1, MPI_INT, win);
    MPI_Win_flush_local(rank, win);
  }
  MPI_Win_flush(rank, win);
}
// case 5: buffer.modified-in-use (the function is inlined)
static inline __attribute__((always_inline)) void start_5(void) {
  int x[4] = {one};
  MPI_Irecv(x, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @5
}                                                             // @5
static void case_5(void) {
  start_5();
  give(4), wait_one();
}
// case 6: ok
static inline __attribute__((always_inline)) int start_6(int n) {
  int x[4] = {one};
  irecv(x, 4, &request);
  give(4), wait_one();
  return x[n];
}
static void case_6(void) { sink[0] = start_6(0) + start_6(1); }
// case 7: buffer.modified-in-use (each turn has a variable of its own)
static void case_7(void) {
  for (int i = 0; i < 4; i++) {
    int x = i;
    MPI_Isend(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[i]);   // @7
  }                                                                  // @7
  for (int i = 0; i < 4; i++) take(1);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}
// case 8: ok
static void case_8(void) {
  int x[4];
  for (int i = 0; i < 4; i++) {
    x[i] = i;
    isend(&x[i], 1, &requests[i]);
  }
  for (int i = 0; i < 4; i++) take(1);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}
// case 9: ok (C11 6.2.4: with goto back in the block the variable goes on to live)
static void case_9(void) {
  int n = 0;
  {
  again:;
    int x;
    if (n++ == 0) {
      irecv(&x, 1, &request);
      goto again;
    }
    give(1), wait_one();
    sink[0] = x;
  }
}
// case 10: buffer.modified-in-use (goto out of the block)
static void case_10(void) {
  {
    int x;
    MPI_Irecv(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @10
    if (one) goto out;
    wait_one();
  }   // @10
out:
  give(1), wait_one();
}
// case 11: buffer.modified-in-use (on one way only)
static void case_11(void) {
  for (int i = 0; i < 3; i++) {
    int x[2] = {i, i};
    MPI_Isend(x, 2, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @11
    take(2);
    if (i == 1) break;
    wait_one();
  }   // @11
  wait_one();
}
// case 12: ok (on all ways)
static void case_12(void) {
  for (int i = 0; i < 3; i++) {
    int x[2] = {i, i};
    isend(x, 2, &request);
    take(2);
    wait_one();
    if (i == 1) break;
  }
}
// case 13: buffer.modified-in-use (an array of variable length)
static void case_13(int n) {
  for (int i = 0; i < 2; i++) {
    int x[n];
    x[n - 1] = i;
    MPI_Isend(x, n, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[i]);   // @13
    if (i == 0) take(n);
  }   // @13
  take(n);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
// case 14: ok
static void case_14(int n) {
  for (int i = 0; i < 2; i++) {
    int x[n];
    x[n - 1] = i;
    isend(x, n, &request);
    take(n), wait_one();
  }
}
// case 15: rma.window-memory-early (memory of a window)
static void case_15(void) {
  MPI_Win own;
  {
    int x[8];
    x[0] = one;
    MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &own);
  }   // @15
  MPI_Win_free(&own);
}
// case 16: ok
static void case_16(void) {
  for (int i = 0; i < 2; i++) {
    int x[8];
    x[0] = one;
    MPI_Win own;
    MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &own);
    MPI_Win_fence(0, own);
    MPI_Win_free(&own);
  }
}
// case 17: rma.window-memory-freed
static void case_17(void) {
  MPI_Win own;
  {
    int x[8];
    x[0] = one;
    MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &own);
  }   // @17
  MPI_Win_fence(0, own);
  MPI_Win_free(&own);
}
// case 18: rma.race-local (a result)
static void case_18(void) {
  if (one) {
    int x[8];
    MPI_Get(x, 8, MPI_INT, rank, 48, 8, MPI_INT, win);   // @18
  }                                                   // @18
  MPI_Win_flush_local(rank, win);
}
// case 19: ok
static void case_19(void) {
  if (one) {
    int x[8];
    MPI_Get(x, 8, MPI_INT, rank, 48, 8, MPI_INT, win);
    MPI_Win_flush_local(rank, win);
    sink[0] = x[zero];
  }
}
// case 20: rma.race-local (a request)
static void case_20(void) {
  {
    int x = one;
    MPI_Raccumulate(&x, 1, MPI_INT, rank, 20, 1, MPI_INT, MPI_SUM, win, &request);   // @20
  }                                                                               // @20
  wait_one();
  MPI_Win_flush(rank, win);
}
// case 21: ok
static void case_21(void) {
  {
    int x = one;
    MPI_Raccumulate(&x, 1, MPI_INT, rank, 21, 1, MPI_INT, MPI_SUM, win, &request);
    wait_one();
  }
  MPI_Win_flush(rank, win);
}
// case 22: buffer.modified-in-use (persistent)
static void case_22(void) {
  {
    int x = one;
    MPI_Send_init(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Start(&request);   // @22
  }                        // @22
  take(1), wait_one();
  MPI_Request_free(&request);
}
// case 23: ok (it is not active when the variable ends)
static void case_23(void) {
  {
    int x = one;
    MPI_Send_init(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Start(&request);
    take(1), wait_one();
  }
  MPI_Request_free(&request);
}
// case 24: buffer.modified-in-use buffer.modified-in-use (both buffers of a collective)
static void case_24(void) {
  {
    double sum[2], part[2] = {1, 2};
    MPI_Iallreduce(part, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);   // @24
    while (!one) wait_one();
  }   // @24
  wait_one();
}
// case 25: ok
static void case_25(void) {
  for (int i = 0; i < 2; i++) {
    double sum[2], part[2] = {1, 2};
    MPI_Iallreduce(part, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    wait_one();
    sink[i] = (int)sum[i];
  }
}
// case 26: buffer.modified-in-use (a function that nobody sees begins the operation)
NOINLINE void start_26(int *x) {
  MPI_Irecv(x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @26
}
static void case_26(void) {
  {
    int x;
    start_26(&x);
  }   // @26
  give(1), wait_one();
}
// case 27: ok
NOINLINE void start_27(int *x) { irecv(x, 1, &request); }
static void case_27(void) {
  for (int i = 0; i < 2; i++) {
    int x;
    start_27(&x);
    give(1), wait_one();
    sink[0] = x;
  }
}
// case 28: ok (another variable of the block)
static void case_28(void) {
  int kept = one;
  {
    int other = one + 1, *which = zero ? &other : &kept;
    isend(&other, 1, &request);
    take(1), wait_one();
    isend(which, 1, &request);
  }
  take(1), wait_one();
}
// case 29: ok (longjmp out of the block, and all is complete)
NOINLINE void jump(void) { longjmp(place, 1); }
static void case_29(void) {
  if (!setjmp(place)) {
    int x = one;
    isend(&x, 1, &request);
    take(1), wait_one();
    jump();
  }
}
// case 30: buffer.modified-in-use (of a structure, in a switch)
static void case_30(int what) {
  switch (what) {
  case 1: {
    struct {
      int head, body[3];
    } x = {1, {2}};
    MPI_Isend(x.body, 3, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @30
    break;
  }   // @30
  default: break;
  }
  take(3), wait_one();
}
// case 31: ok (it lives until the function returns)
static void case_31(int what) {
  struct {
    int head, body[3];
  } x = {1, {2}};
  switch (what) {
  case 1: {
    int *body = x.body;
    isend(body, 3, &request);
    break;
  }
  default: break;
  }
  take(3), wait_one();
}
// case 32: buffer.modified-in-use (the function is not inlined)
NOINLINE void start_32(void) {
  int x = one;
  MPI_Isend(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @32
}                                                              // @32
static void case_32(void) {
  start_32();
  take(1), wait_one();
}
// case 33: rma.race-local (an array of more than a page; the window is flushed in another function)
static void case_33(void) {
  {
    int x[5000];
    x[4000] = one;
    MPI_Put(&x[4000], 1, MPI_INT, rank, 33, 1, MPI_INT, win);   // @33
  }                                                           // @33
  MPI_Win_flush_all(win);
}
// case 34: ok (only a part of it was given to MPI, and that is complete)
static void case_34(void) {
  {
    int x[5000];
    x[4000] = one;
    MPI_Put(&x[4000], 1, MPI_INT, rank, 34, 1, MPI_INT, win);
    MPI_Win_flush_all(win);
    MPI_Put(memory, 1, MPI_INT, rank, 34, 1, MPI_INT, win);
  }
  MPI_Win_flush_all(win);
}
// case 35: buffer.modified-in-use (an array of variable length whose size the optimizer knows)
static void case_35(void) {
  int n = 3;
  {
    int x[n];
    x[0] = x[1] = x[2] = one;
    MPI_Isend(x, n, MPI_INT, 0, 1, MPI_COMM_SELF, &request);   // @35
  }                                                          // @35
  take(3), wait_one();
}
// case 36: ok (the inner one ends, and both ways out of it are after the end of its operation)
static void case_36(void) {
  int n = 3, outer[n];
  outer[0] = outer[1] = outer[2] = one;
  MPI_Isend(outer, n, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
  take(3);
  for (int i = 0; i < 3; i++) {
    int x[n + 1];
    x[0] = i;
    MPI_Isend(x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    take(1), wait_one();
    if (i + one == 2) break;
    x[n] = i;
  }
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}
// case 37: rma.race-local (a break leaves it)
static void case_37(void) {
  for (int i = 0, n = 8; i < n; i++) {
    int x[n];
    x[i] = one;
    MPI_Put(&x[i], 1, MPI_INT, rank, 37, 1, MPI_INT, win);   // @37
    if (one) break;
    MPI_Win_flush_local(rank, win);
  }                                                        // @37
  MPI_Win_flush(rank, win);
}
// case 38: ok (it lives until the function returns)
static void case_38(void) {
  int n = 8, x[n];
  x[7] = one;
  MPI_Put(&x[7], 1, MPI_INT, rank, 38, 1, MPI_INT, win);
  if (one) {
    int y[n];
    y[0] = one;
    MPI_Put(y, 1, MPI_INT, rank, 39, 1, MPI_INT, win);
    MPI_Win_flush(rank, win);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int *base;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(64 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_lock_all(0, win);
  case_1(), case_2(), case_3(), case_4(), case_5(), case_6(), case_7(), case_8(), case_9(), case_10(), case_11();
  case_12(), case_13(nine), case_14(nine), case_15(), case_16(), case_17(), case_18(), case_19(), case_20();
  case_21(), case_22(), case_23(), case_24(), case_25(), case_26(), case_27();
  case_28(), case_29(), case_30(one), case_31(one), case_32(), case_33(), case_34();
  case_35(), case_36(), case_37(), case_38();
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
