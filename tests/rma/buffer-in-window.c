// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of operations that lie in window memory themselves, where others put and get meanwhile (MPI-3.1 11.7).
#include <mpi.h>
#include <stddef.h>
#include <string.h>

enum { TAG = 5 };
static int rank, *memory, x[20], token;
static MPI_Win win, fenced;
static int *other;
static void send(int to) { MPI_Send(&token, 1, MPI_INT, to, TAG, MPI_COMM_WORLD); }
static void receive(int from) { MPI_Recv(&token, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

// case 1: rma.race-local (rank 1 puts from where rank 2 puts)
static void case_1(void) {
  if (rank == 1) MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @1
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);        // @1
}
// case 2: ok (beside it)
static void case_2(void) {
  if (rank == 1) MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @2
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 4, 1, MPI_INT, win);        // @2
}
// case 3: ok (both read)
static void case_3(void) {
  if (rank == 1) MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @3
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);        // @3
}
// case 4: rma.race-local (rank 1 gets to where rank 2 gets from)
static void case_4(void) {
  if (rank == 1) MPI_Get(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @4
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);        // @4
}
// case 5: ok (complete at its origin before the message)
static void case_5(void) {
  if (rank == 1) {
    MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @5
    MPI_Win_flush_local(0, win);
    send(2);
  }
  if (rank == 2) receive(1), MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);   // @5
}
// case 6: rma.race-local (the message before it)
static void case_6(void) {
  if (rank == 1) {
    MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @6
    send(2);
    MPI_Win_flush_local(0, win);
  }
  if (rank == 2) receive(1), MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);   // @6
}
// case 7: ok (a request)
static void case_7(void) {
  MPI_Request request;
  if (rank == 1) {
    MPI_Rput(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win, &request);   // @7
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    send(2);
  }
  if (rank == 2) receive(1), MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);   // @7
}
// case 8: rma.race-local (the result of a fetch)
static void case_8(void) {
  if (rank == 1) MPI_Fetch_and_op(x, memory + 3, MPI_INT, 0, 8, MPI_SUM, win);   // @8
  if (rank == 2) MPI_Accumulate(x, 1, MPI_INT, 1, 3, 1, MPI_INT, MPI_SUM, win);  // @8
}
// case 9: rma.race-local (every second one)
static void case_9(void) {
  MPI_Datatype every_second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  if (rank == 1) MPI_Put(memory, 1, every_second, 0, 8, 4, MPI_INT, win);   // @9
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);             // @9
  MPI_Type_free(&every_second);
}
// case 10: ok (the gap)
static void case_10(void) {
  MPI_Datatype every_second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  if (rank == 1) MPI_Put(memory, 1, every_second, 0, 8, 4, MPI_INT, win);   // @10
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 3, 1, MPI_INT, win);             // @10
  MPI_Type_free(&every_second);
}
// case 11: rma.race-local (fences)
static void case_11(void) {
  if (rank == 1) MPI_Put(other, 4, MPI_INT, 0, 8, 4, MPI_INT, fenced);   // @11
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, fenced);       // @11
}
// case 12: ok (a fence between)
static void case_12(void) {
  if (rank == 1) MPI_Put(other, 4, MPI_INT, 0, 8, 4, MPI_INT, fenced);   // @12
  MPI_Win_fence(0, fenced);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, fenced);       // @12
}
// case 13: rma.race-local (fences, the result)
static void case_13(void) {
  if (rank == 1) MPI_Get(other, 4, MPI_INT, 0, 8, 4, MPI_INT, fenced);   // @13
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 1, 2, 1, MPI_INT, fenced);       // @13
}

// case 14: ok (its own part to all ranks, itself included)
static void case_14(void) {
  for (int t = 0; t < 3; t++) MPI_Put(memory + rank, 1, MPI_INT, t, rank, 1, MPI_INT, win);   // @14
  for (int t = 0; t < 3; t++) MPI_Put(other + rank, 1, MPI_INT, t, rank, 1, MPI_INT, fenced);   // @14
}

// case 15: rma.race-local (a put to itself, on the origin of a put)
static void case_15(void) {
  if (rank == 1) {
    MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @15
    MPI_Put(x, 1, MPI_INT, 1, 3, 1, MPI_INT, win);        // @15
  }
}
// case 16: ok (beside it; the first one is complete at its origin; both read)
static void case_16(void) {
  if (rank == 1) {
    MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win);   // @16
    MPI_Put(x, 1, MPI_INT, 1, 4, 1, MPI_INT, win);        // @16
    MPI_Win_flush_local(0, win);
    MPI_Put(x + 1, 1, MPI_INT, 1, 3, 1, MPI_INT, win);   // @16
    MPI_Win_flush(1, win);
    MPI_Put(memory, 4, MPI_INT, 0, 12, 4, MPI_INT, win);   // @16
    MPI_Get(x + 2, 1, MPI_INT, 1, 3, 1, MPI_INT, win);     // @16
  }
}
// case 17: rma.race-local (a get from itself, of what another get brings)
static void case_17(void) {
  if (rank == 1) {
    MPI_Get(memory + 2, 2, MPI_INT, 0, 8, 2, MPI_INT, win);   // @17
    MPI_Get(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);            // @17
  }
}
// case 18: rma.race-local (fences; an accumulate to itself, on the origin of one)
static void case_18(void) {
  if (rank == 2) {
    MPI_Accumulate(other + 5, 1, MPI_INT, 0, 8, 1, MPI_INT, MPI_SUM, fenced);   // @18
    MPI_Accumulate(x, 1, MPI_INT, 2, 5, 1, MPI_INT, MPI_SUM, fenced);           // @18
  }
}
// case 19: ok (a fence between; atomic reads of an origin)
static void case_19(void) {
  if (rank == 2) MPI_Accumulate(other + 5, 1, MPI_INT, 0, 8, 1, MPI_INT, MPI_SUM, fenced);   // @19
  MPI_Win_fence(0, fenced);
  if (rank == 2) {
    MPI_Accumulate(x, 1, MPI_INT, 2, 5, 1, MPI_INT, MPI_SUM, fenced);                 // @19
    MPI_Put(memory + 6, 1, MPI_INT, 0, 6, 1, MPI_INT, win);                           // @19
    MPI_Fetch_and_op(NULL, x + 1, MPI_INT, 2, 6, MPI_NO_OP, win);                     // @19
  }
}
// case 20: rma.race-local (a fetch writes what a message is sent from)
static void case_20(void) {
  MPI_Request request;
  if (rank == 1) {
    MPI_Isend(memory + 7, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD, &request);   // @20
    MPI_Fetch_and_op(x, x + 1, MPI_INT, 1, 7, MPI_SUM, win);               // @20
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 2) receive(1);
}
// case 21: ok (each its part to all others, then its own: bytes go to where they are)
static void case_21(void) {
  for (int t = 0; t < 3; t++) MPI_Put(memory + 2 * rank, 2, MPI_INT, (rank + 1 + t) % 3, 2 * rank, 2, MPI_INT, win);   // @21
}

// A type of 20 blocks as far apart as in a column, of 12 blocks that lie anywhere, and of the first 12 blocks so that
// copies of it are further columns.
static MPI_Datatype column, scattered, part;
static void make_types(void) {
  static const int at[12] = {0, 2, 5, 6, 11, 17, 20, 26, 28, 33, 41, 60};
  MPI_Datatype vector;
  MPI_Type_vector(20, 1, 3, MPI_INT, &column);
  MPI_Type_create_indexed_block(12, 1, at, MPI_INT, &scattered);
  MPI_Type_vector(12, 1, 3, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, sizeof(int), &part);
  MPI_Type_free(&vector);
  MPI_Type_commit(&column), MPI_Type_commit(&scattered), MPI_Type_commit(&part);
}
static void open_window(void) {
  MPI_Win_allocate(64 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  memset(memory, 0, 64 * sizeof *memory);
  MPI_Win_lock_all(0, win);
}
static void next_window(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  open_window();
  MPI_Barrier(MPI_COMM_WORLD);
}
// case 22: rma.race-local rma.race-local rma.race-local (the 14th block; the last of 12; the second column's 11th row)
static void case_22(void) {
  if (rank == 1) MPI_Put(memory, 1, column, 0, 0, 1, column, win);           // @22
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 39, 1, MPI_INT, win);             // @22
  next_window();
  if (rank == 1) MPI_Put(memory, 1, scattered, 0, 0, 1, scattered, win);     // @22
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 60, 1, MPI_INT, win);             // @22
  next_window();
  if (rank == 1) MPI_Get(memory, 2, part, 0, 0, 2, part, win);               // @22
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 1, 31, 1, MPI_INT, win);             // @22
}
// case 23: ok (beside the blocks)
static void case_23(void) {
  if (rank == 1) MPI_Put(memory, 1, column, 0, 0, 1, column, win);           // @23
  if (rank == 2) MPI_Put(x, 2, MPI_INT, 1, 40, 2, MPI_INT, win);             // @23
  next_window();
  if (rank == 1) MPI_Put(memory, 1, scattered, 0, 0, 1, scattered, win);     // @23
  if (rank == 2) MPI_Put(x, 3, MPI_INT, 1, 57, 3, MPI_INT, win);             // @23
  next_window();
  if (rank == 1) MPI_Get(memory, 2, part, 0, 0, 2, part, win);               // @23
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 1, 32, 1, MPI_INT, win);             // @23
}
// case 24: rma.race (a message under way)
static void case_24(void) {
  MPI_Request request;
  if (rank == 1) {
    MPI_Isend(memory, 1, column, 2, TAG, MPI_COMM_WORLD, &request);          // @24
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 2) MPI_Recv(x, 20, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Put(x, 1, MPI_INT, 1, 57, 1, MPI_INT, win);             // @24
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {case_1, case_2, case_3,  case_4,  case_5,  case_6,  case_7,
                                        case_8, case_9, case_10, case_11, case_12, case_13, case_14,
                                        case_15, case_16, case_17, case_18, case_19, case_20, case_21,
                                        case_22, case_23, case_24};
  make_types();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    open_window();
    MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &other, &fenced);
    memset(other, 0, 16 * sizeof *memory);
    MPI_Win_fence(0, fenced);
    cases[i]();
    MPI_Win_fence(0, fenced);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&fenced);
    MPI_Win_free(&win);
  }
  MPI_Type_free(&column), MPI_Type_free(&scattered), MPI_Type_free(&part);
  MPI_Finalize();
  return 0;
}
