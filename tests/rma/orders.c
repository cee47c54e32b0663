// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 4 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What orders two accesses, and what seems to: messages, chains of them, collectives by the flow of their data, locks, atomic operations. The two
// are marked with the number of their case.
#include <mpi.h>
#include <stddef.h>
#include <string.h>

static int rank, *memory, x[16], token;
static MPI_Win win;
static MPI_Comm pair;   // of ranks 1 and 2, and of 0 and 3
enum { TAG = 5 };

static void send(int to) { MPI_Send(&token, 1, MPI_INT, to, TAG, MPI_COMM_WORLD); }
static void receive(int from) { MPI_Recv(&token, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void open_window(void) {
  MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
}
static void close_window(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}
#define PUT(r) if (rank == (r)) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win)
#define GET(r) if (rank == (r)) MPI_Get(x + 1, 1, MPI_INT, 0, 3, 1, MPI_INT, win)
#define FLUSH(r) if (rank == (r)) MPI_Win_flush(0, win)

// case 1: ok (a message)
static void case_1(void) {
  PUT(1);   // @1
  FLUSH(1);
  if (rank == 1) send(2);
  if (rank == 2) receive(1);
  PUT(2);   // @1
}
// case 2: rma.race (the message goes the other way)
static void case_2(void) {
  PUT(1);   // @2
  FLUSH(1);
  if (rank == 2) send(1);
  if (rank == 1) receive(2);
  PUT(2);   // @2
}
// case 3: ok (a chain of messages)
static void case_3(void) {
  PUT(1);   // @3
  FLUSH(1);
  if (rank == 1) send(3);
  if (rank == 3) receive(1), send(0);
  if (rank == 0) receive(3), send(2);
  if (rank == 2) receive(0);
  GET(2);   // @3
}
// case 4: rma.race (the chain begins before the flush)
static void case_4(void) {
  PUT(1);   // @4
  if (rank == 1) send(3);
  FLUSH(1);
  if (rank == 3) receive(1), send(2);
  if (rank == 2) receive(3);
  GET(2);   // @4
}
// case 5: ok (a collective on a sub-communicator)
static void case_5(void) {
  PUT(1);   // @5
  FLUSH(1);
  MPI_Barrier(pair);
  PUT(2);   // @5
}
// case 6: rma.race (the collective is of others)
static void case_6(void) {
  PUT(1);   // @6
  FLUSH(1);
  if (rank == 0 || rank == 3) MPI_Barrier(pair);
  PUT(2);   // @6
}
// case 7: ok (from the root to the leaves)
static void case_7(void) {
  PUT(1);   // @7
  FLUSH(1);
  MPI_Bcast(&token, 1, MPI_INT, 1, MPI_COMM_WORLD);
  PUT(2);   // @7
}
// case 8: rma.race (from the leaves to the root a broadcast carries nothing)
static void case_8(void) {
  PUT(1);   // @8
  FLUSH(1);
  MPI_Bcast(&token, 1, MPI_INT, 2, MPI_COMM_WORLD);
  PUT(2);   // @8
}
// case 9: ok (from the leaves to the root)
static void case_9(void) {
  int sum;
  PUT(1);   // @9
  FLUSH(1);
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
  PUT(2);   // @9
}
// case 10: rma.race (a reduction's leaves hear of nobody)
static void case_10(void) {
  int sum;
  PUT(1);   // @10
  FLUSH(1);
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  PUT(2);   // @10
}
// case 11: ok
static void case_11(void) {
  int sum;
  PUT(1);   // @11
  FLUSH(1);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  GET(2);   // @11
}
// case 12: ok (gather to 2)
static void case_12(void) {
  int all[4];
  PUT(1);   // @12
  FLUSH(1);
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 2, MPI_COMM_WORLD);
  GET(2);   // @12
}
// case 13: ok (scatter from 1)
static void case_13(void) {
  int all[4] = {0}, mine;
  PUT(1);   // @13
  FLUSH(1);
  MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 1, MPI_COMM_WORLD);
  GET(2);   // @13
}
// case 14: ok (a scan goes up)
static void case_14(void) {
  int sum;
  PUT(1);   // @14
  FLUSH(1);
  MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  GET(2);   // @14
}
// case 15: rma.race (and not down)
static void case_15(void) {
  int sum;
  PUT(2);   // @15
  FLUSH(2);
  MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  PUT(1);   // @15
}
// case 16: ok (a nonblocking barrier that was waited for)
static void case_16(void) {
  MPI_Request request;
  PUT(1);   // @16
  FLUSH(1);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  GET(2);   // @16
}
// case 17: rma.race (not waited for yet)
static void case_17(void) {
  MPI_Request request;
  PUT(1);   // @17
  FLUSH(1);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  GET(2);   // @17
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// case 18: ok (a nonblocking receive that was waited for)
static void case_18(void) {
  MPI_Request request;
  if (rank == 2) MPI_Irecv(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
  PUT(1);   // @18
  FLUSH(1);
  if (rank == 1) send(2);
  if (rank == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
  GET(2);   // @18
}
// case 19: rma.race (... only afterwards)
static void case_19(void) {
  MPI_Request request;
  if (rank == 2) MPI_Irecv(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
  PUT(1);   // @19
  FLUSH(1);
  if (rank == 1) send(2);
  GET(2);   // @19
  if (rank == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// case 20: ok (a synchronous send tells its sender that the receive has begun)
static void case_20(void) {
  PUT(1);   // @20
  FLUSH(1);
  if (rank == 1) receive(2);
  if (rank == 2) MPI_Ssend(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  GET(2);   // @20
}
// case 21: ok (exclusive locks let nobody in between, whatever their order)
static void case_21(void) {
  MPI_Win_unlock_all(win);
  if (rank == 1 || rank == 2) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @21
    MPI_Win_unlock(0, win);
  }
  MPI_Win_lock_all(0, win);
}
// case 22: rma.race arg.assert (they lock different targets)
static void case_22(void) {
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  int target = rank == 1 ? 3 : 0;
  if (rank == 1 || rank == 2) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
  if (rank == 1) MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);   // @22
  PUT(1);   // @22
  PUT(2);   // @22
  if (rank == 1) MPI_Win_unlock(0, win);
  if (rank == 1 || rank == 2) MPI_Win_unlock(target, win);
  MPI_Barrier(MPI_COMM_WORLD);   // else the next lock of rank 1 may come before that of rank 2
  MPI_Win_lock_all(0, win);
}
// case 23: ok (a lock made of compare-and-swap: only the run knows who was first)
static void case_23(void) {
  int one = 1, zero = 0, was = 1;
  if (rank == 1 || rank == 2) {
    while (was) {
      MPI_Compare_and_swap(&one, &zero, &was, MPI_INT, 0, 7, win);
      MPI_Win_flush(0, win);
    }
    MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @23
    MPI_Win_flush(0, win);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, 7, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  }
}
// case 24: ok (a flag, polled by fetch)
static void case_24(void) {
  int one = 1, seen = 0;
  PUT(1);   // @24
  if (rank == 1) {
    MPI_Win_flush(0, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 7, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  }
  while (rank == 2 && !seen) {
    MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 7, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
  }
  GET(2);   // @24
}
// case 25: rma.race (the flag is set before the put)
static void case_25(void) {
  int one = 1, seen = 0;
  if (rank == 1) {
    MPI_Accumulate(&one, 1, MPI_INT, 0, 7, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  }
  PUT(1);   // @25
  while (rank == 2 && !seen) {
    MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 7, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
  }
  GET(2);   // @25
}
// case 26: rma.race (the lock is given back before the put is made)
static void case_26(void) {
  MPI_Win_unlock_all(win);
  if (rank == 1 || rank == 2) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, win);
    MPI_Win_unlock(3, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  }
  PUT(1);   // @26
  PUT(2);   // @26
  if (rank == 1 || rank == 2) MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
}
// case 27: ok (a fence of another window is a barrier)
static void case_27(void) {
  int *other;
  MPI_Win fenced;
  MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &other, &fenced);
  PUT(1);   // @27
  FLUSH(1);
  MPI_Win_fence(0, fenced);
  GET(2);   // @27
  MPI_Win_free(&fenced);
}
// case 28: ok (so is the end of another window)
static void case_28(void) {
  int *other;
  MPI_Win second;
  MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &other, &second);
  PUT(1);   // @28
  FLUSH(1);
  MPI_Win_free(&second);
  GET(2);   // @28
}
// case 29: ok (a wildcard receive)
static void case_29(void) {
  PUT(1);   // @29
  FLUSH(1);
  if (rank == 1) send(2);
  if (rank == 2) MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  GET(2);   // @29
}
// case 30: ok (a probe)
static void case_30(void) {
  MPI_Message message;
  PUT(1);   // @30
  FLUSH(1);
  if (rank == 1) send(2);
  if (rank == 2) MPI_Mprobe(1, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  GET(2);   // @30
  if (rank == 2) MPI_Mrecv(&token, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}
// case 31: rma.race (flush_local completes only at the origin)
static void case_31(void) {
  PUT(1);   // @31
  if (rank == 1) MPI_Win_flush_local(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  GET(2);   // @31
}
// case 32: ok (a get is over with flush_local)
static void case_32(void) {
  GET(1);   // @32
  if (rank == 1) MPI_Win_flush_local(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  PUT(2);   // @32
}
// case 33: rma.race (the flush is of another target)
static void case_33(void) {
  PUT(1);   // @33
  if (rank == 1) MPI_Win_flush(2, win);
  MPI_Barrier(MPI_COMM_WORLD);
  GET(2);   // @33
}
// case 34: ok (MPI_Sendrecv)
static void case_34(void) {
  int got;
  PUT(1);   // @34
  FLUSH(1);
  if (rank == 1 || rank == 2) MPI_Sendrecv(&rank, 1, MPI_INT, 3 - rank, TAG, &got, 1, MPI_INT, 3 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  PUT(2);   // @34
}
// case 35: ok (all to all, neighbours)
static void case_35(void) {
  int all[4] = {0}, got[4];
  PUT(1);   // @35
  FLUSH(1);
  MPI_Alltoall(all, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  PUT(2);   // @35
}
// case 36: ok (the target loads behind a barrier)
static void case_36(void) {
  PUT(1);   // @36
  FLUSH(1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) x[2] = memory[3];   // @36
}
// case 37: rma.race (two elements that overlap by bytes)
static void case_37(void) {
  MPI_Datatype bytes;
  MPI_Type_create_hindexed(2, (int[]){2, 2}, (MPI_Aint[]){0, 6}, MPI_CHAR, &bytes);
  MPI_Type_commit(&bytes);
  if (rank == 1) MPI_Put(x, 1, bytes, 0, 3, 1, bytes, win);   // @37
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 4, 1, MPI_INT, win);   // @37
  MPI_Type_free(&bytes);
}
// case 38: ok (... and two that do not)
static void case_38(void) {
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  if (rank == 1) MPI_Put(x, 1, column, 0, 0, 1, column, win);   // @38
  if (rank == 2) MPI_Put(x, 1, column, 0, 1, 1, column, win);   // @38
  MPI_Type_free(&column);
}

// case 39: ok (MPI_Request_get_status tells that the message is there, as MPI_Wait does)
static void case_39(void) {
  MPI_Request request;
  int flag = 0;
  if (rank == 2) MPI_Irecv(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
  PUT(1);   // @39
  FLUSH(1);
  if (rank == 1) send(2);
  while (rank == 2 && !flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  GET(2);   // @39
  if (rank == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// case 40: ok (a nonblocking probe that names its message tells that it was sent, as MPI_Probe does)
static void case_40(void) {
  int flag = 0;
  PUT(1);   // @40
  FLUSH(1);
  if (rank == 1) send(2);
  while (rank == 2 && !flag) MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  GET(2);   // @40
  if (rank == 2) receive(1);
}
// case 41: rma.race (the message that it found was sent before the flush)
static void case_41(void) {
  int flag = 0;
  PUT(1);   // @41
  if (rank == 1) send(2);
  FLUSH(1);
  while (rank == 2 && !flag) MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  GET(2);   // @41
  if (rank == 2) receive(1);
}
// case 42: ok (the second one of its kind finds the next message)
static void case_42(void) {
  int flag = 0;
  if (rank == 1) send(2);
  while (rank == 2 && !flag) MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (rank == 2) receive(1);
  PUT(1);   // @42
  FLUSH(1);
  if (rank == 1) send(2);
  for (flag = 0; rank == 2 && !flag;) MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  GET(2);   // @42
  if (rank == 2) receive(1);
}
// case 43: ok (within a fence epoch: the target stores, and tells the origin)
static void case_43(void) {
  int *other, flag = 0;
  MPI_Win fenced;
  MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &other, &fenced);
  MPI_Win_fence(0, fenced);
  if (rank == 0) *other = 1, send(2);   // @43
  while (rank == 2 && !flag) MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, fenced);   // @43
  if (rank == 2) receive(0);
  MPI_Win_fence(0, fenced);
  MPI_Win_free(&fenced);
}
// case 44: rma.race (... that was sent before the flush)
static void case_44(void) {
  MPI_Request request;
  int flag = 0;
  if (rank == 2) MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
  PUT(1);   // @44
  if (rank == 1) send(2);
  FLUSH(1);
  while (rank == 2 && !flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  GET(2);   // @44
  if (rank == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// case 45: ok (of a nonblocking barrier)
static void case_45(void) {
  MPI_Request request;
  int flag = 0;
  PUT(1);   // @45
  FLUSH(1);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  GET(2);   // @45
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 1 || rank == 2, rank, &pair);
  static void (*const cases[])(void) = {
      case_1,  case_2,  case_3,  case_4,  case_5,  case_6,  case_7,  case_8,  case_9,  case_10, case_11, case_12, case_13,
      case_14, case_15, case_16, case_17, case_18, case_19, case_20, case_21, case_22, case_23, case_24, case_25, case_26,
      case_27, case_28, case_29, case_30, case_31, case_32, case_33, case_34, case_35, case_36, case_37, case_38, case_39, case_40, case_41,
      case_42, case_43, case_44, case_45};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    open_window();
    // What stands in the window must not be read before it is there.
    memset(memory, 0, 16 * sizeof *memory);
    MPI_Barrier(MPI_COMM_WORLD);
    cases[i]();
    close_window();
  }
  MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
