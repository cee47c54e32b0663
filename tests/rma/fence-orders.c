// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 4 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages and collectives within a fence epoch: they may order a load or store of the target before an operation, and
// nothing else. The two are marked with the number of their case.
#include <mpi.h>

static int rank, *memory, x[16], token;
static MPI_Win win;
enum { TAG = 5 };

static void send(int from, int to) {
  if (rank == from) MPI_Send(&token, 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
  if (rank == to) MPI_Recv(&token, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
#define STORE if (rank == 0) memory[3] = 7
#define LOAD if (rank == 0) x[5] = memory[3]
#define PUT if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win)
#define GET if (rank == 1) MPI_Get(x + 1, 1, MPI_INT, 0, 3, 1, MPI_INT, win)

// case 1: ok (a message behind the store)
static void case_1(void) {
  STORE; // @1
  send(0, 1);
  PUT;   // @1
}
// case 2: rma.race (both talk with other ranks)
static void case_2(void) {
  STORE; // @2
  send(0, 3);
  send(2, 1);
  PUT;   // @2
}
// case 3: rma.race (the message was sent before the store)
static void case_3(void) {
  send(0, 1);
  STORE; // @3
  send(0, 2);
  PUT;   // @3
}
// case 4: ok (a chain of messages)
static void case_4(void) {
  STORE; // @4
  send(0, 2);
  send(2, 3);
  send(3, 1);
  GET;   // @4
}
// case 5: rma.race (the chain begins before the store)
static void case_5(void) {
  send(0, 2);
  STORE; // @5
  send(2, 3);
  send(0, 2);
  send(3, 1);
  GET;   // @5
}
// case 6: ok (a barrier)
static void case_6(void) {
  LOAD;  // @6
  MPI_Barrier(MPI_COMM_WORLD);
  PUT;   // @6
}
// case 7: rma.race (a reduction tells the leaves nothing)
static void case_7(void) {
  STORE; // @7
  MPI_Reduce(&token, &x[7], 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  PUT;   // @7
}
// case 8: ok (a reduction tells its root)
static void case_8(void) {
  STORE; // @8
  MPI_Reduce(&token, &x[7], 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  PUT;   // @8
}
// case 9: ok (a broadcast of the target)
static void case_9(void) {
  STORE; // @9
  MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
  PUT;   // @9
}
// case 10: rma.race (a broadcast of another rank)
static void case_10(void) {
  STORE; // @10
  MPI_Bcast(&token, 1, MPI_INT, 2, MPI_COMM_WORLD);
  PUT;   // @10
}
// case 11: rma.race (a put is not complete before the fence, whatever is sent)
static void case_11(void) {
  PUT;   // @11
  send(1, 0);
  LOAD;  // @11
}
// case 12: ok (the fence completes it)
static void case_12(void) {
  PUT;   // @12
  send(1, 0);
  MPI_Win_fence(0, win);
  LOAD;  // @12
}
// case 13: ok (two messages; a nonblocking receive that is complete)
static void case_13(void) {
  MPI_Request request;
  STORE; // @13
  send(0, 2);
  if (rank == 1) MPI_Irecv(&token, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD, &request);
  if (rank == 2) MPI_Send(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  PUT;   // @13
}
// case 14: rma.race (the receive is not complete)
static void case_14(void) {
  MPI_Request request;
  send(3, 1);
  STORE; // @14
  send(0, 2);
  if (rank == 1) MPI_Irecv(&token, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD, &request);
  if (rank == 2) MPI_Send(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  PUT;   // @14
  if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void (*const cases[])(void) = {case_1, case_2,  case_3,  case_4,  case_5,  case_6,  case_7,
                                      case_8, case_9, case_10, case_11, case_12, case_13, case_14};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    cases[i]();
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
