// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two operations of one process that use the same local bytes, beside the pairs of pairs.py: loops, recursion, several
// targets and windows, parts of arrays, datatypes, and what is no use at all (MPI-3.1 11.3, 11.5).
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static int rank, *memory, *others, one[8];
static MPI_Win win, other;
#define AT_ONE if (rank == 1)

// case 1: rma.race-local (gets of a loop into one variable)
static void case_1(void) {
  static int x;
  for (int i = 0; i < 1000; i++) AT_ONE MPI_Get(&x, 1, MPI_INT, 0, i % 8, 1, MPI_INT, win);   // @1
}
// case 2: ok (puts of a loop from one variable)
static void case_2(void) {
  static int x;
  for (int i = 0; i < 8; i++) AT_ONE MPI_Put(&x, 1, MPI_INT, 0, i, 1, MPI_INT, win);
}
// case 3: ok (each get is complete before the next one)
static void case_3(void) {
  static int x;
  for (int i = 0; i < 100; i++) AT_ONE MPI_Get(&x, 1, MPI_INT, 0, i % 8, 1, MPI_INT, win), MPI_Win_flush_local(0, win);
}
// case 4: rma.race-local (gets of a loop from several targets)
static void case_4(void) {
  static int x;
  for (int t = 0; t < 3; t++) AT_ONE MPI_Get(&x, 1, MPI_INT, t, 0, 1, MPI_INT, win);   // @4
}
// case 5: rma.race-local (gets of a loop into a running halo: neighbours share one element)
static void case_5(void) {
  static int x[40];
  for (int i = 0; i < 8; i++) AT_ONE MPI_Get(x + 4 * i, 5, MPI_INT, 0, 0, 5, MPI_INT, win);   // @5
}
// case 6: ok (neighbours adjoin)
static void case_6(void) {
  static int x[40];
  for (int i = 0; i < 8; i++) AT_ONE MPI_Get(x + 4 * i, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
}
// case 7: rma.race-local (a put to two targets, one of which is synchronized)
static void case_7(void) {
  static int x;
  for (int t = 0; t < 3; t += 2) AT_ONE MPI_Put(&x, 1, MPI_INT, t, 0, 1, MPI_INT, win);   // @7
  AT_ONE MPI_Win_flush(0, win);
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);   // @7
}
// case 8: ok (both are)
static void case_8(void) {
  static int x;
  for (int t = 0; t < 3; t += 2) AT_ONE MPI_Put(&x, 1, MPI_INT, t, 0, 1, MPI_INT, win);
  AT_ONE MPI_Win_flush(0, win), MPI_Win_flush_local(2, win);
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
}
// case 9: rma.race-local (recursion)
static void descend(int depth) {
  static int x;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, depth, 1, MPI_INT, win);   // @9
  if (depth) descend(depth - 1);
}
static void case_9(void) { descend(1); }
// case 10: ok (each activation has a variable of its own, until all are complete)
static void deepen(int depth) {
  int x;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, depth, 1, MPI_INT, win);
  if (depth) deepen(depth - 1);
  else AT_ONE MPI_Win_flush_local(0, win);
}
static void case_10(void) { deepen(5); }
// case 11: rma.race-local (what was fetched is the next operand)
static void case_11(void) {
  static int x[2];
  AT_ONE MPI_Fetch_and_op(one, x, MPI_INT, 0, 0, MPI_SUM, win);       // @11
  AT_ONE MPI_Fetch_and_op(x, x + 1, MPI_INT, 0, 1, MPI_SUM, win);     // @11
}
// case 12: ok (it has come)
static void case_12(void) {
  static int x[2];
  AT_ONE MPI_Fetch_and_op(one, x, MPI_INT, 0, 0, MPI_SUM, win), MPI_Win_flush_local(0, win);
  AT_ONE MPI_Fetch_and_op(x, x + 1, MPI_INT, 0, 1, MPI_SUM, win);
}
// case 13: ok (no elements)
static void case_13(void) {
  static int x;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  AT_ONE MPI_Put(&x, 0, MPI_INT, 0, 1, 0, MPI_INT, win);
  AT_ONE MPI_Get(&x, 0, MPI_INT, 0, 1, 0, MPI_INT, win);
}
// case 14: ok (no target)
static void case_14(void) {
  static int x;
  MPI_Request request;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  AT_ONE MPI_Get(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
  AT_ONE MPI_Rput(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  AT_ONE MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}
// case 15: ok (MPI_NO_OP does not read its origin)
static void case_15(void) {
  static int x, y[2];
  MPI_Request request;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  AT_ONE MPI_Fetch_and_op(&x, y, MPI_INT, 0, 1, MPI_NO_OP, win);
  AT_ONE MPI_Rget_accumulate(&x, 1, MPI_INT, y + 1, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_NO_OP, win, &request);
  AT_ONE MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// case 16: rma.race-local (but it writes its result)
static void case_16(void) {
  static int x;
  AT_ONE MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);                       // @16
  AT_ONE MPI_Fetch_and_op(NULL, &x, MPI_INT, 0, 1, MPI_NO_OP, win);            // @16
}
// case 17: ok (columns that interleave)
static MPI_Datatype column(int stride) {
  MPI_Datatype type;
  MPI_Type_vector(4, 1, stride, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}
static void case_17(void) {
  static int x[20];
  MPI_Datatype type = column(5);
  for (int i = 0; i < 5; i++) AT_ONE MPI_Get(x + i, 1, type, 0, 0, 4, MPI_INT, win);
  AT_ONE MPI_Win_flush(0, win);
  MPI_Type_free(&type);
}
// case 18: rma.race-local (a row through them)
static void case_18(void) {
  static int x[20];
  MPI_Datatype type = column(5);
  AT_ONE MPI_Get(x + 3, 1, type, 0, 0, 4, MPI_INT, win);      // @18
  AT_ONE MPI_Put(x + 5, 5, MPI_INT, 2, 0, 5, MPI_INT, win);   // @18
  AT_ONE MPI_Win_flush_all(win);
  MPI_Type_free(&type);
}
// case 19: rma.race-local (strides that meet at one element only)
static void case_19(void) {
  static int x[20];
  MPI_Datatype fives = column(5), threes = column(3);
  AT_ONE MPI_Get(x, 1, fives, 0, 0, 4, MPI_INT, win);         // @19
  AT_ONE MPI_Get(x + 1, 1, threes, 2, 0, 4, MPI_INT, win);    // @19
  AT_ONE MPI_Win_flush_all(win);
  MPI_Type_free(&fives), MPI_Type_free(&threes);
}
// case 20: ok (strides that do not meet)
static void case_20(void) {
  static int x[24];
  MPI_Datatype sixes = column(6), threes = column(3);
  AT_ONE MPI_Get(x, 1, sixes, 0, 0, 4, MPI_INT, win);
  AT_ONE MPI_Get(x + 2, 1, threes, 2, 0, 4, MPI_INT, win);
  AT_ONE MPI_Win_flush_all(win);
  MPI_Type_free(&sixes), MPI_Type_free(&threes);
}
// case 21: buffer.overlap (one operation: the origin is the result)
static void case_21(void) {
  static int x[4];
  AT_ONE MPI_Get_accumulate(x, 2, MPI_INT, x + 1, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win);   // @21
}
// case 22: buffer.overlap (what is compared is the result)
static void case_22(void) {
  static int x;
  AT_ONE MPI_Compare_and_swap(one, &x, &x, MPI_INT, 0, 0, win);   // @22
}
// case 23: ok (what is compared is what is written)
static void case_23(void) {
  static int x;
  AT_ONE MPI_Compare_and_swap(one, one, &x, MPI_INT, 0, 0, win);
}
// case 24: rma.race-local (a store to what is compared)
static void case_24(void) {
  static int x, y;
  AT_ONE MPI_Compare_and_swap(one, &x, &y, MPI_INT, 0, 0, win);   // @24
  AT_ONE x = 3;                                                   // @24
}
// case 25: ok (a load of it)
static void case_25(void) {
  static int x, y;
  AT_ONE MPI_Compare_and_swap(one, &x, &y, MPI_INT, 0, 0, win);
  AT_ONE one[7] = x;
}
// case 26: rma.race-local (the other window's flush completes nothing)
static void case_26(void) {
  static int x;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);     // @26
  AT_ONE MPI_Win_flush_all(other);
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, other);   // @26
}
// case 27: ok (it is done in both)
static void case_27(void) {
  static int x;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, other);
  AT_ONE MPI_Win_flush_all(other);
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
}
// case 28: rma.race-local (a heap block that is freed)
static void case_28(void) {
  int *x = malloc(64);
  AT_ONE MPI_Get(x + 3, 4, MPI_INT, 0, 0, 4, MPI_INT, win);   // @28
  free(x);                                                    // @28
  AT_ONE MPI_Win_flush_local(0, win);
}
// case 29: ok (it is freed later, and another one may lie there)
static void case_29(void) {
  for (int i = 0; i < 3; i++) {
    int *x = malloc(64);
    AT_ONE MPI_Get(x + 3, 4, MPI_INT, 0, 0, 4, MPI_INT, win), MPI_Win_flush_local(0, win);
    free(x);
  }
}
// case 30: rma.race-local (a local variable of a function that returns)
static __attribute__((noinline)) void leave(void) {
  int x = 1;
  AT_ONE MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);   // @30
}   // @30
static __attribute__((noinline)) void barrier(void) { MPI_Barrier(MPI_COMM_SELF); }   // deeper: not above it
static void case_30(void) {
  leave();
  AT_ONE MPI_Win_flush_local(0, win);
}
// case 31: rma.race-local (of a request)
static __attribute__((noinline)) void leave_request(MPI_Request *request) {
  int x;
  AT_ONE MPI_Rget(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win, request);   // @31
}   // @31
static void case_31(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  leave_request(&request);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// case 32: ok (its function goes on)
static __attribute__((noinline)) void stay(void) {
  int x;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  barrier();
  AT_ONE MPI_Win_flush_local(0, win);
}
static void case_32(void) {
  stay();
  MPI_Barrier(MPI_COMM_SELF);
}
// case 33: ok (the buffer is of the caller)
static __attribute__((noinline)) void into(int *x) { AT_ONE MPI_Get(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win); }
static void case_33(void) {
  int x;
  into(&x);
  MPI_Barrier(MPI_COMM_SELF);
  AT_ONE MPI_Win_flush_local(0, win);
}
// case 34: rma.race-local (absolute addresses)
static void case_34(void) {
  static int x;
  MPI_Datatype type;
  MPI_Aint at;
  MPI_Get_address(&x, &at);
  MPI_Type_create_hindexed(1, (int[]){1}, &at, MPI_INT, &type);
  MPI_Type_commit(&type);
  AT_ONE MPI_Get(MPI_BOTTOM, 1, type, 0, 0, 1, MPI_INT, win);   // @34
  AT_ONE MPI_Put(&x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);        // @34
  AT_ONE MPI_Win_flush(0, win);
  MPI_Type_free(&type);
}
// case 35: ok (a request was freed: when it ends is not known)
static void case_35(void) {
  static int x;
  MPI_Request request;
  AT_ONE MPI_Isend(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request), MPI_Request_free(&request);
  AT_ONE MPI_Recv(one + 6, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
}
// case 36: rma.race-local (two requests into one variable)
static void case_36(void) {
  static int x;
  MPI_Request requests[2];
  for (int i = 0; i < 2; i++) AT_ONE MPI_Rget(&x, 1, MPI_INT, 0, i, 1, MPI_INT, win, &requests[i]);   // @36
  AT_ONE MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
// case 37: ok (a copy of the handle was waited for)
static void case_37(void) {
  static int x;
  MPI_Request request, copy;
  for (int i = 0; i < 2; i++)
    AT_ONE MPI_Rget(&x, 1, MPI_INT, 0, i, 1, MPI_INT, win, &request), copy = request,
        MPI_Wait(&copy, MPI_STATUS_IGNORE);
}

// case 38: rma.race-local (packed before it has come)
static void case_38(void) {
  static int x;
  char packed[8];
  int position = 0;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);                                 // @38
  AT_ONE MPI_Pack(&x, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);     // @38
}
// case 39: ok (the rest of what is packed is under way)
static void case_39(void) {
  static char packed[8];
  int position = 0;
  AT_ONE MPI_Put(packed + 4, 4, MPI_BYTE, 0, 0, 4, MPI_BYTE, win);
  AT_ONE MPI_Pack(one, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
}
// case 40: rma.race-local (of two threads)
static int shared;
static void *get_shared(void *unused) {
  MPI_Get(&shared, 1, MPI_INT, 0, 0, 1, MPI_INT, win);   // @40
  return unused;
}
static void case_40(void) {
  pthread_t thread;
  AT_ONE pthread_create(&thread, NULL, get_shared, NULL), pthread_join(thread, NULL);
  AT_ONE MPI_Bcast(&shared, 1, MPI_INT, 0, MPI_COMM_SELF);   // @40
}
// case 41: ok (a thread completes what another one has begun)
static void *flush(void *unused) {
  MPI_Win_flush_local(0, win);
  return unused;
}
static void case_41(void) {
  int x;
  pthread_t thread;
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  AT_ONE pthread_create(&thread, NULL, flush, NULL), pthread_join(thread, NULL);
  AT_ONE MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, other);
  AT_ONE MPI_Win_flush_local(0, other);
}
// case 42: rma.race-local (a local variable of a thread's function)
static __attribute__((noinline)) void leave_thread(void) {
  int x = 1;
  MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);   // @42
}   // @42
static void *leave_in_thread(void *unused) {
  leave_thread();
  MPI_Win_flush_local(0, win);
  return unused;
}
static void case_42(void) {
  pthread_t thread;
  AT_ONE pthread_create(&thread, NULL, leave_in_thread, NULL), pthread_join(thread, NULL);
}
// case 43: buffer.overlap (the result of a local reduction)
static void case_43(void) {
  static int x;
  MPI_Request request;
  AT_ONE MPI_Irecv(&x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);   // @43
  AT_ONE MPI_Reduce_local(one, &x, 1, MPI_INT, MPI_SUM);              // @43
  AT_ONE MPI_Send(one, 1, MPI_INT, 1, 9, MPI_COMM_WORLD), MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {
      case_1,  case_2,  case_3,  case_4,  case_5,  case_6,  case_7,  case_8,  case_9,  case_10, case_11, case_12, case_13,
      case_14, case_15, case_16, case_17, case_18, case_19, case_20, case_21, case_22, case_23, case_24, case_25, case_26,
      case_27, case_28, case_29, case_30, case_31, case_32, case_33, case_34, case_35, case_36, case_37, case_38, case_39,
      case_40, case_41, case_42, case_43};
  MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_allocate(16 * sizeof *others, sizeof *others, MPI_INFO_NULL, MPI_COMM_WORLD, &others, &other);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_lock_all(0, win), MPI_Win_lock_all(0, other);
    cases[i]();
    MPI_Win_unlock_all(other), MPI_Win_unlock_all(win);
  }
  MPI_Win_free(&other), MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t -lpthread
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
