// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 4 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many operations on bytes that no other rank touches: each rank leaves them out of what it sends to the judge. Among them are few that count.
#include <mpi.h>
#include <stddef.h>
#include <string.h>

enum { PART = 1024, MANY = 1000, TAG = 5 };
static int rank, *memory, x[16], token;
static MPI_Win win;

// Into our own part of rank 0's window, completed now and then.
static void work(int times) {
  for (int i = 0; i < times; i++) {
    MPI_Put(x, 1, MPI_INT, 0, (rank + 1) * PART + i % PART, 1, MPI_INT, win);
    if (i % 100 == 99) MPI_Win_flush(0, win);
  }
  MPI_Win_flush(0, win);
}

// case 1: rma.race (two origins, in the midst of it)
static void case_1(void) {
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @1
  work(MANY);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @1
}
// case 2: ok (a message orders them: completions name requests whose events move up)
static void case_2(void) {
  MPI_Request requests[6];
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @2
  work(MANY);
  for (int i = 0; i < 6 && rank == 1; i++) MPI_Isend(x + i, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 6 && rank == 2; i++) MPI_Irecv(x + 8 + i, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[i]);
  work(MANY);
  if (rank == 1 || rank == 2) MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @2
}
// case 3: rma.race (the same, but the flush comes behind the message)
static void case_3(void) {
  MPI_Request requests[6];
  work(MANY);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @3
  for (int i = 0; i < 6 && rank == 1; i++) MPI_Isend(x + i, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 6 && rank == 2; i++) MPI_Irecv(x + 8 + i, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[i]);
  work(MANY);
  if (rank == 1 || rank == 2) MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @3
}
// case 4: rma.race (one origin, no flush between: nobody else is there)
static void case_4(void) {
  work(MANY);
  if (rank == 3) {
    MPI_Put(x, 2, MPI_INT, 0, 3, 2, MPI_INT, win);       // @4
    MPI_Put(x + 4, 2, MPI_INT, 0, 4, 2, MPI_INT, win);   // @4
  }
}
// case 5: ok (with one)
static void case_5(void) {
  work(MANY);
  if (rank == 3) {
    MPI_Put(x, 2, MPI_INT, 0, 3, 2, MPI_INT, win);       // @5
    MPI_Win_flush(0, win);
    MPI_Put(x + 4, 2, MPI_INT, 0, 4, 2, MPI_INT, win);   // @5
  }
}
// case 6: rma.race (the owner stores where an origin puts)
static void case_6(void) {
  work(MANY);
  if (rank == 0) memory[3] = 1;                                   // @6
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @6
}
// case 7: ok (beside it)
static void case_7(void) {
  work(MANY);
  if (rank == 0) memory[2] = 1;                                   // @7
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @7
}
// case 8: ok (all read)
static void case_8(void) {
  work(MANY);
  MPI_Get(x, 8, MPI_INT, 0, 0, 8, MPI_INT, win);   // @8
  MPI_Win_flush(0, win);
}
// case 9: rma.race (all but one, and more than 64 pages)
static void case_9(void) {
  static int large[80 * 1024];
  work(MANY);
  if (rank == 1) MPI_Put(large, 80 * 1024, MPI_INT, 0, 6 * PART, 80 * 1024, MPI_INT, win);                   // @9
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, 6 * PART + 70 * 1024, 1, MPI_INT, win), MPI_Win_flush(0, win);   // @9
}
// case 10: ok (a request-based one, whose completion names it)
static void case_10(void) {
  MPI_Request request;
  int other = 0;
  if (rank == 2) MPI_Rget(&other, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &request);   // @10
  work(MANY);
  if (rank == 2) MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_Send(&other, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&token, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @10
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9, case_10};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate((rank ? 0 : 100 * PART) * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) memset(memory, 0, 100 * PART * sizeof *memory);
    MPI_Barrier(MPI_COMM_WORLD);
    cases[i]();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
