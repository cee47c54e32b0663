// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// ONCE: env MPICC_CHECK_OPTIONS=log_budget=0 %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of sends, receives and collectives that lie in window memory, where others put and get meanwhile
// (MPI-3.1 3.7.2, 5.12, 11.7).
#include <mpi.h>
#include <stddef.h>
#include <string.h>

enum { TAG = 5, DATA = 6 };
#define WORLD MPI_COMM_WORLD
#define NONE MPI_STATUS_IGNORE
static int rank, *memory, *other, x[8], token;
static MPI_Win win, fenced; // win: locked by all
static MPI_Request request;
static void tell(int to) { MPI_Send(&token, 1, MPI_INT, to, TAG, WORLD); }
static void hear(int from) { MPI_Recv(&token, 1, MPI_INT, from, TAG, WORLD, NONE); }
static void receive(int from) { MPI_Recv(x, 4, MPI_INT, from, DATA, WORLD, NONE); }
static void put_flush(int to, int at) { // rank 2
  MPI_Put(x, 1, MPI_INT, to, at, 1, MPI_INT, win);
  MPI_Win_flush(to, win);
}

// case 1: rma.race (what is sent, and a put)
static void case_1(void) {
  if (rank == 0) MPI_Send(memory, 4, MPI_INT, 1, DATA, WORLD);   // @1
  if (rank == 1) receive(0);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);  // @1
}
// case 2: ok (beside it; what is sent, and a get)
static void case_2(void) {
  if (rank == 0) MPI_Send(memory, 4, MPI_INT, 1, DATA, WORLD);
  if (rank == 1) receive(0);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 4, 1, MPI_INT, win), MPI_Get(x + 1, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
}
// case 3: ok (who has got the message puts; who was told by it does)
static void case_3(void) {
  if (rank == 0) MPI_Send(memory, 4, MPI_INT, 1, DATA, WORLD);
  if (rank == 1) receive(0), MPI_Put(x, 1, MPI_INT, 0, 2, 1, MPI_INT, win), tell(2);
  if (rank == 2) hear(1), MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
}
// case 4: rma.race (what comes, and a get)
static void case_4(void) {
  if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, DATA, WORLD);
  if (rank == 1) MPI_Recv(memory, 4, MPI_INT, 0, DATA, WORLD, NONE);   // @4
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 1, 3, 1, MPI_INT, win);        // @4
}
// case 5: ok (behind the elements that came; a get that the sender knows of; one that was told)
static void case_5(void) {
  if (rank == 0) hear(2), MPI_Send(x, 4, MPI_INT, 1, DATA, WORLD);
  if (rank == 1) MPI_Recv(memory, 8, MPI_INT, 0, DATA, WORLD, NONE), tell(2);
  if (rank == 2) {
    MPI_Get(x, 2, MPI_INT, 1, 3, 2, MPI_INT, win), MPI_Win_flush(1, win);
    tell(0);
    MPI_Get(x + 2, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
    hear(1);
    MPI_Get(x + 4, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
  }
}
// case 6: rma.race (between start and end, and ordered behind the one and before the other)
static void case_6(void) {
  if (rank == 0) MPI_Isend(memory, 4, MPI_INT, 1, DATA, WORLD, &request);   // @6
  MPI_Barrier(WORLD);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 1, 1, MPI_INT, win), MPI_Win_flush(0, win);   // @6
  MPI_Barrier(WORLD);
  if (rank == 1) receive(0);
  if (rank == 0) MPI_Wait(&request, NONE);
}
// case 7: ok (behind the end)
static void case_7(void) {
  if (rank == 0) MPI_Isend(memory, 4, MPI_INT, 1, DATA, WORLD, &request), MPI_Wait(&request, NONE);
  if (rank == 1) receive(0);
  MPI_Barrier(WORLD);
  if (rank == 2) put_flush(0, 1);
}
// case 8: rma.race (the same over two fences)
static void case_8(void) {
  if (rank == 0) MPI_Isend(other, 4, MPI_INT, 1, DATA, WORLD, &request);   // @8
  MPI_Win_fence(0, fenced);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 1, 1, MPI_INT, fenced);         // @8
  MPI_Win_fence(0, fenced);
  if (rank == 1) receive(0);
  if (rank == 0) MPI_Wait(&request, NONE);
}
// case 9: ok (complete before the fence; begun behind it)
static void case_9(void) {
  if (rank == 0) MPI_Isend(other, 4, MPI_INT, 1, DATA, WORLD, &request), MPI_Wait(&request, NONE);
  if (rank == 1) receive(0);
  MPI_Win_fence(0, fenced);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 1, 1, MPI_INT, fenced);
  MPI_Win_fence(0, fenced);
  if (rank == 0) MPI_Irecv(other, 4, MPI_INT, 1, DATA, WORLD, &request), MPI_Wait(&request, NONE);
  if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
}
// case 10: rma.race (a receive that is posted, and a get)
static void case_10(void) {
  if (rank == 0) MPI_Irecv(memory, 4, MPI_INT, 1, DATA, WORLD, &request);   // @10
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);             // @10
  if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
  if (rank == 0) MPI_Wait(&request, NONE);
}
// case 11: rma.race (persistent, in its second round)
static void case_11(void) {
  MPI_Request all[1];
  if (rank == 0) MPI_Send_init(memory, 4, MPI_INT, 1, DATA, WORLD, all);
  for (int i = 0; i < 2; i++) {
    if (rank == 0) MPI_Startall(1, all);   // @11
    if (rank == 2 && i) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win), MPI_Win_flush(0, win);   // @11
    if (rank == 0) MPI_Waitall(1, all, MPI_STATUSES_IGNORE);
    if (rank == 1) receive(0);
    MPI_Barrier(WORLD);
  }
  if (rank == 0) MPI_Request_free(all);
}
// case 12: ok (persistent, between two rounds)
static void case_12(void) {
  MPI_Request all[1];
  if (rank == 0) MPI_Recv_init(memory, 4, MPI_INT, 1, DATA, WORLD, all);
  for (int i = 0; i < 2; i++) {
    if (rank == 0) MPI_Startall(1, all), MPI_Waitall(1, all, MPI_STATUSES_IGNORE);
    if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
    MPI_Barrier(WORLD);
    if (rank == 2) put_flush(0, 3);
    MPI_Barrier(WORLD);
  }
  if (rank == 0) MPI_Request_free(all);
}
// case 13: rma.race (both halves of MPI_Sendrecv: the one that sends)
static void case_13(void) {
  MPI_Sendrecv(other + 2, 2, MPI_INT, (rank + 1) % 3, DATA, x, 2, MPI_INT, (rank + 2) % 3, DATA, WORLD, NONE);   // @13
  if (rank == 2) MPI_Put(x + 4, 1, MPI_INT, 0, 3, 1, MPI_INT, fenced);                                           // @13
}
// case 14: ok (who got it puts; a fence between)
static void case_14(void) {
  MPI_Sendrecv(other + 2, 2, MPI_INT, (rank + 1) % 3, DATA, x, 2, MPI_INT, (rank + 2) % 3, DATA, WORLD, NONE);
  MPI_Put(x + 4, 1, MPI_INT, (rank + 2) % 3, 3, 1, MPI_INT, fenced);
  MPI_Win_fence(0, fenced);
  MPI_Sendrecv(other + 2, 2, MPI_INT, (rank + 1) % 3, DATA, other, 2, MPI_INT, (rank + 2) % 3, DATA, WORLD, NONE);
}
// case 15: rma.race (a broadcast is no barrier: what a leaf gets)
static void case_15(void) {
  MPI_Bcast(memory, 4, MPI_INT, 0, WORLD);                        // @15
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);   // @15
}
// case 16: ok (a barrier behind it; a leaf at the root)
static void case_16(void) {
  MPI_Bcast(memory, 4, MPI_INT, 0, WORLD);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Barrier(WORLD);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
}
// case 17: rma.race (the result of a reduction, in the fence epoch of a get)
static void case_17(void) {
  if (rank == 2) MPI_Get(x + 4, 1, MPI_INT, 1, 1, 1, MPI_INT, fenced);   // @17
  MPI_Allreduce(x, other, 2, MPI_INT, MPI_SUM, WORLD);                   // @17
}
// case 18: ok (what a reduction sends, and a get; a fence)
static void case_18(void) {
  if (rank == 2) MPI_Get(x + 4, 1, MPI_INT, 1, 1, 1, MPI_INT, fenced);
  MPI_Allreduce(other, x, 2, MPI_INT, MPI_SUM, WORLD);
  MPI_Win_fence(0, fenced);
  MPI_Allreduce(x, other, 2, MPI_INT, MPI_SUM, WORLD);
  MPI_Win_fence(0, fenced);
  if (rank == 2) MPI_Get(x + 4, 1, MPI_INT, 1, 1, 1, MPI_INT, fenced);
}
// case 19: rma.race (what is gathered with counts, and a put that nobody waits for)
static void case_19(void) {
  int counts[] = {1, 2, 3}, places[] = {0, 2, 5};
  if (rank == 2) MPI_Put(x + 6, 1, MPI_INT, 0, 3, 1, MPI_INT, win);                       // @19
  MPI_Gatherv(x, counts[rank], MPI_INT, memory, counts, places, MPI_INT, 0, WORLD);       // @19
}
// case 20: ok (the gap; a put that is complete before)
static void case_20(void) {
  int counts[] = {1, 2, 3}, places[] = {0, 2, 5};
  if (rank == 2) MPI_Put(x + 6, 1, MPI_INT, 0, 4, 1, MPI_INT, win), put_flush(0, 3);
  MPI_Gatherv(x, counts[rank], MPI_INT, memory, counts, places, MPI_INT, 0, WORLD);
}
// case 21: rma.race (a nonblocking collective)
static void case_21(void) {
  MPI_Igather(x, 2, MPI_INT, memory, 2, MPI_INT, 0, WORLD, &request);   // @21
  if (rank == 2) MPI_Put(x + 6, 1, MPI_INT, 0, 3, 1, MPI_INT, win);     // @21
  MPI_Wait(&request, NONE);
}
// case 22: ok (complete, and told)
static void case_22(void) {
  MPI_Igather(x, 2, MPI_INT, memory, 2, MPI_INT, 0, WORLD, &request);
  MPI_Wait(&request, NONE);
  if (rank == 0) tell(2);
  if (rank == 2) hear(0), MPI_Put(x + 6, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
}
// case 23: rma.race (every second one)
static void case_23(void) {
  MPI_Datatype second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  if (rank == 0) MPI_Isend(memory, 1, second, 1, DATA, WORLD, &request);   // @23
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 4, 1, MPI_INT, win);            // @23
  if (rank == 1) receive(0);
  if (rank == 0) MPI_Wait(&request, NONE);
  MPI_Type_free(&second);
}
// case 24: ok (the gap)
static void case_24(void) {
  MPI_Datatype second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  if (rank == 0) MPI_Isend(memory, 1, second, 1, DATA, WORLD, &request);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
  if (rank == 1) receive(0);
  if (rank == 0) MPI_Wait(&request, NONE);
  MPI_Type_free(&second);
}
// case 25: ok (a request that is freed: the answer tells that it is over, MPI-3.1 3.7.3)
static void case_25(void) {
  if (rank == 0) MPI_Isend(memory, 4, MPI_INT, 1, DATA, WORLD, &request), MPI_Request_free(&request), hear(1), tell(2);
  if (rank == 1) receive(0), tell(0);
  if (rank == 2) hear(0), MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
}
// case 26: rma.race (matched probe)
static void case_26(void) {
  MPI_Message message;
  if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, DATA, WORLD);
  if (rank == 1) MPI_Mprobe(0, DATA, WORLD, &message, NONE), MPI_Mrecv(memory, 4, MPI_INT, &message, NONE);   // @26
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 3, 1, MPI_INT, win);                                               // @26
}
// case 27: ok (a receive that came to nothing; an operation that is no atomic one beside what only reads)
static void case_27(void) {
  if (rank == 0) {
    MPI_Irecv(memory, 4, MPI_INT, 1, DATA, WORLD, &request);
    MPI_Cancel(&request), MPI_Wait(&request, NONE);
    MPI_Send(memory + 4, 4, MPI_INT, 1, DATA, WORLD);
  }
  if (rank == 1) receive(0);
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win), MPI_Get(x + 1, 4, MPI_INT, 0, 4, 4, MPI_INT, win);
}
// case 28: rma.race (with an accumulate)
static void case_28(void) {
  if (rank == 0) MPI_Send(memory, 4, MPI_INT, 1, DATA, WORLD);   // @28
  if (rank == 1) receive(0);
  if (rank == 2) MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);   // @28
}
// case 29: rma.race (a receive under way over two barriers, and a put between)
static void case_29(void) {
  if (rank == 0) MPI_Irecv(other, 4, MPI_INT, 1, DATA, WORLD, &request);    // @29
  if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
  MPI_Barrier(WORLD), MPI_Barrier(WORLD);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, fenced);          // @29
  MPI_Win_fence(0, fenced), MPI_Barrier(WORLD);
  if (rank == 0) MPI_Wait(&request, NONE);
}
// case 30: ok (complete before the last barrier; a put behind it)
static void case_30(void) {
  if (rank == 0) MPI_Irecv(other, 4, MPI_INT, 1, DATA, WORLD, &request);
  if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
  MPI_Barrier(WORLD);
  if (rank == 0) MPI_Wait(&request, NONE);
  MPI_Barrier(WORLD), MPI_Win_fence(0, fenced), MPI_Barrier(WORLD);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, fenced);
}
// case 31: rma.race (a collective under way over barriers, behind which another rank puts)
static void case_31(void) {
  MPI_Igather(x, 2, MPI_INT, memory, 2, MPI_INT, 0, WORLD, &request);       // @31
  MPI_Barrier(WORLD), MPI_Barrier(WORLD);
  if (rank == 2) put_flush(0, 6);
  if (rank == 2) MPI_Put(x + 6, 1, MPI_INT, 0, 3, 1, MPI_INT, win);         // @31
  MPI_Barrier(WORLD);
  MPI_Wait(&request, NONE);
}
// case 32: ok (a collective that sends: gets meanwhile, and a put behind its end)
static void case_32(void) {
  MPI_Igather(memory, 2, MPI_INT, x, 2, MPI_INT, 0, WORLD, &request);
  MPI_Barrier(WORLD), MPI_Barrier(WORLD);
  if (rank == 2) MPI_Get(x + 6, 1, MPI_INT, 1, 1, 1, MPI_INT, win), MPI_Win_flush(1, win);
  MPI_Wait(&request, NONE);
  MPI_Barrier(WORLD), MPI_Barrier(WORLD);
  if (rank == 2) put_flush(1, 1);
}
// case 33: rma.race (a freed request, and a put by a rank that has heard of nothing)
static void case_33(void) {
  if (rank == 0) MPI_Isend(memory, 4, MPI_INT, 1, DATA, WORLD, &request), MPI_Request_free(&request), tell(2);   // @33
  if (rank == 2) hear(0), MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);                                         // @33
  if (rank == 1) receive(0);
}
// case 34: ok (a rank that the receiver has told puts; a barrier behind the receive, and one behind that)
static void case_34(void) {
  if (rank == 0) MPI_Isend(memory, 4, MPI_INT, 1, DATA, WORLD, &request), MPI_Request_free(&request);
  if (rank == 1) receive(0), tell(2);
  if (rank == 2) hear(1), MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
  MPI_Barrier(WORLD), MPI_Barrier(WORLD);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
}
// case 35: ok (a receive that is cancelled behind a barrier, and a put meanwhile; buffered sends that are freed)
static void case_35(void) {
  char space[64 + MPI_BSEND_OVERHEAD], *detached;
  int size;
  if (rank == 0) MPI_Irecv(memory, 4, MPI_INT, 1, DATA, WORLD, &request);
  MPI_Barrier(WORLD);
  if (rank == 2) put_flush(0, 3);
  MPI_Barrier(WORLD);
  if (rank == 0) {
    MPI_Cancel(&request), MPI_Wait(&request, NONE);
    MPI_Buffer_attach(space, sizeof space);
    MPI_Ibsend(memory + 8, 4, MPI_INT, 1, DATA, WORLD, &request), MPI_Request_free(&request);
  }
  MPI_Barrier(WORLD);
  if (rank == 2) put_flush(0, 9);
  MPI_Barrier(WORLD);
  if (rank == 1) receive(0);
  if (rank == 0) MPI_Buffer_detach(&detached, &size);
}
// case 36: rma.race (persistent, under way over a barrier in its second round)
static void case_36(void) {
  MPI_Request all[1];
  if (rank == 0) MPI_Recv_init(memory, 4, MPI_INT, 1, DATA, WORLD, all);
  for (int i = 0; i < 2; i++) {
    if (rank == 0) MPI_Startall(1, all);                                      // @36
    if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
    MPI_Barrier(WORLD), MPI_Barrier(WORLD);
    if (rank == 2 && i) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);        // @36
    MPI_Barrier(WORLD);
    if (rank == 0) MPI_Waitall(1, all, MPI_STATUSES_IGNORE);
    MPI_Barrier(WORLD);
  }
  if (rank == 0) MPI_Request_free(all);
}
// case 37: rma.race (a put that is over before the barrier that the receive is under way over)
static void case_37(void) {
  if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
  if (rank == 0) MPI_Irecv(memory, 4, MPI_INT, 1, DATA, WORLD, &request), tell(2);   // @37
  if (rank == 2) hear(0), MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win), MPI_Win_flush(0, win);   // @37
  MPI_Barrier(WORLD), MPI_Barrier(WORLD);
  if (rank == 0) MPI_Wait(&request, NONE);
}
// case 38: ok (beside what is received)
static void case_38(void) {
  if (rank == 1) MPI_Send(x, 4, MPI_INT, 0, DATA, WORLD);
  if (rank == 0) MPI_Irecv(memory + 4, 4, MPI_INT, 1, DATA, WORLD, &request), tell(2);
  if (rank == 2) hear(0), put_flush(0, 3);
  MPI_Barrier(WORLD), MPI_Barrier(WORLD);
  if (rank == 0) MPI_Wait(&request, NONE);
}
// case 39: rma.race (the result of an exclusive scan, and a put)
static void case_39(void) {
  if (rank == 2) MPI_Put(x + 6, 1, MPI_INT, 1, 0, 1, MPI_INT, win), MPI_Win_flush(1, win);   // @39
  MPI_Exscan(x, memory, 1, MPI_INT, MPI_SUM, WORLD);                                          // @39
}
// case 40: ok (rank 0 gets none: MPI-3.1 5.11.2)
static void case_40(void) {
  if (rank == 2) MPI_Put(x + 6, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_Win_flush(0, win);
  MPI_Exscan(x, memory, 1, MPI_INT, MPI_SUM, WORLD);
}
// case 41: rma.race (what a rank sends to itself may be there before the others come)
static void case_41(void) {
  if (rank == 2) MPI_Get(x + 6, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_Win_flush(0, win);   // @41
  MPI_Allgather(x, 1, MPI_INT, memory, 1, MPI_INT, WORLD);                                   // @41
}
// case 42: ok (what the getter sends; in place; a get that is over before)
static void case_42(void) {
  int counts[] = {1, 1, 1}, places[] = {0, 3, 6};
  if (rank == 2) MPI_Get(x + 6, 1, MPI_INT, 0, 6, 1, MPI_INT, win), MPI_Win_flush(0, win);
  MPI_Gatherv(x, 1, MPI_INT, memory, counts, places, MPI_INT, 0, WORLD);
  MPI_Barrier(WORLD);
  if (rank == 2) MPI_Get(x + 6, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_Win_flush(0, win);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, memory, 1, MPI_INT, WORLD);
  MPI_Barrier(WORLD);
  if (rank == 2) MPI_Get(x + 6, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_Win_flush(0, win), tell(0);
  if (rank == 0) hear(2);
  MPI_Alltoall(x, 1, MPI_INT, memory, 1, MPI_INT, WORLD);
}
// case 43: rma.race (the same by counts, with a put)
static void case_43(void) {
  int counts[] = {1, 1, 1}, places[] = {0, 3, 6};
  if (rank == 2) MPI_Put(x + 6, 1, MPI_INT, 1, 3, 1, MPI_INT, win), MPI_Win_flush(1, win);   // @43
  MPI_Allgatherv(x, 1, MPI_INT, memory, counts, places, MPI_INT, WORLD);                     // @43
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(WORLD, &rank);
  static void (*const cases[])(void) = {case_1,  case_2,  case_3,  case_4,  case_5,  case_6,  case_7,
                                        case_8,  case_9,  case_10, case_11, case_12, case_13, case_14,
                                        case_15, case_16, case_17, case_18, case_19, case_20, case_21,
                                        case_22, case_23, case_24, case_25, case_26, case_27, case_28,
                                        case_29, case_30, case_31, case_32, case_33, case_34, case_35,
                                        case_36, case_37, case_38, case_39, case_40, case_41, case_42,
                                        case_43};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &other, &fenced);
    memset(memory, 0, 16 * sizeof *memory), memset(other, 0, 16 * sizeof *memory);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(WORLD);
    MPI_Win_fence(0, fenced);
    cases[i]();
    MPI_Win_fence(0, fenced);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&fenced);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
