// CASES: // case (\d+):
// ONCE: rm -rf %t.d && mkdir %t.d && %mpicc-check -O1 %s -o %t.d/r
// ONCE: cd %t.d && %python %source/tests/rma/cases.py --all 3 %mpirun-check ./r %s
// ONCE: cd %t.d && env MPICC_CHECK_OPTIONS=log_budget=0 %python %source/tests/rma/cases.py --all 3 %mpirun-check ./r %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of file operations that lie in window memory, where others put and get meanwhile (MPI-3.1 11.7, 13.4); the
// same in logs that are cut at each barrier.
#include <mpi.h>
#include <string.h>

enum { TAG = 5 };
#define WORLD MPI_COMM_WORLD
#define NONE MPI_STATUS_IGNORE
static int rank, *memory, *other, x[16], token;
static MPI_Win win, fenced; // win: locked by all
static MPI_File file;       // each rank has 64 bytes of it to itself
static MPI_Offset mine;
static MPI_Request request;
static void tell(int to) { MPI_Send(&token, 1, MPI_INT, to, TAG, WORLD); }
static void hear(int from) { MPI_Recv(&token, 1, MPI_INT, from, TAG, WORLD, NONE); }
static void pause_all(void) { MPI_Barrier(WORLD), MPI_Barrier(WORLD); }
static void put_flush(int at) { // rank 2
  MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);
  MPI_Win_flush(0, win);
}

// case 1: rma.race (what is written to the file, and a put)
static void case_1(void) {
  if (rank == 0) MPI_File_write_at(file, mine, memory, 4, MPI_INT, NONE);   // @1
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);             // @1
}
// case 2: ok (beside it; a get; a put by who was told)
static void case_2(void) {
  if (rank == 0) MPI_File_write_at(file, mine, memory, 4, MPI_INT, NONE), tell(1);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 4, 1, MPI_INT, win), MPI_Get(x + 1, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
  if (rank == 1) hear(0), MPI_Put(x, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
}
// case 3: rma.race (what is read, and a get)
static void case_3(void) {
  if (rank == 0) MPI_File_read_at(file, mine, memory, 4, MPI_INT, NONE);   // @3
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);            // @3
}
// case 4: ok (behind the end of the file nothing comes; a get that is over before)
static void case_4(void) {
  if (rank == 0) hear(2), MPI_File_read_at(file, 3 * 64 - 16, memory, 8, MPI_INT, NONE);
  if (rank == 2) {
    MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win), MPI_Win_flush(0, win), tell(0);
    MPI_Get(x + 4, 4, MPI_INT, 0, 4, 4, MPI_INT, win);
  }
}
// case 5: rma.race (between start and end)
static void case_5(void) {
  if (rank == 0) MPI_File_iwrite_at(file, mine, memory, 4, MPI_INT, &request), tell(2);   // @5
  if (rank == 2) hear(0), MPI_Put(x, 1, MPI_INT, 0, 1, 1, MPI_INT, win), MPI_Win_flush(0, win), tell(0);   // @5
  if (rank == 0) hear(2), MPI_Wait(&request, NONE);
}
// case 6: ok (behind the end)
static void case_6(void) {
  if (rank == 0) MPI_File_iwrite_at(file, mine, memory, 4, MPI_INT, &request), MPI_Wait(&request, NONE), tell(2);
  if (rank == 2) hear(0), put_flush(1);
}
// case 7: rma.race (several requests at once, and a get)
static void case_7(void) {
  MPI_Request all[2];
  if (rank == 0) MPI_File_iread_at(file, mine, memory, 2, MPI_INT, all);         // @7
  if (rank == 0) MPI_File_iread_at(file, mine, memory + 4, 2, MPI_INT, all + 1), tell(2);
  if (rank == 2) hear(0), MPI_Get(x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);         // @7
  if (rank == 0) MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
}
// case 8: ok (beside; and behind a test)
static void case_8(void) {
  int flag = 0;
  if (rank == 0) {
    MPI_File_iread_at(file, mine, memory, 2, MPI_INT, &request), tell(2);
    while (!flag) MPI_Test(&request, &flag, NONE);
    tell(2);
  }
  if (rank == 2) hear(0), MPI_Get(x + 8, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
  if (rank == 2) hear(0), MPI_Get(x, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
}
// case 9: rma.race (within a split operation)
static void case_9(void) {
  MPI_File_write_at_all_begin(file, mine, memory, 4, MPI_INT);              // @9
  MPI_Barrier(WORLD);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win), MPI_Win_flush(0, win);   // @9
  MPI_Barrier(WORLD);
  MPI_File_write_at_all_end(file, memory, NONE);
}
// case 10: ok (a get within; a put behind it)
static void case_10(void) {
  MPI_File_write_at_all_begin(file, mine, memory, 4, MPI_INT);
  pause_all();
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win), MPI_Win_flush(0, win);
  MPI_File_write_at_all_end(file, memory, NONE);
  pause_all();
  if (rank == 2) put_flush(3);
}
// case 11: rma.race (a split read of the shared pointer, and a get)
static void case_11(void) {
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered_begin(file, memory, 4, MPI_INT);                    // @11
  pause_all();
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);             // @11
  pause_all();
  MPI_File_read_ordered_end(file, memory, NONE);
}
// case 12: ok (behind it)
static void case_12(void) {
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered_begin(file, memory, 4, MPI_INT);
  pause_all();
  MPI_File_read_ordered_end(file, memory, NONE);
  pause_all();
  if (rank == 2) MPI_Get(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
}
// case 13: rma.race (a write by the shared pointer)
static void case_13(void) {
  if (rank == 0) MPI_File_write_shared(file, memory, 4, MPI_INT, NONE);     // @13
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);             // @13
}
// case 14: ok (gets beside writes of all kinds)
static void case_14(void) {
  MPI_File_seek(file, mine, MPI_SEEK_SET);
  MPI_File_write_all(file, memory, 2, MPI_INT, NONE);
  if (rank == 0) MPI_File_write(file, memory, 2, MPI_INT, NONE), MPI_File_write_shared(file, memory, 2, MPI_INT, NONE);
  if (rank == 2) MPI_Get(x, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
}
// case 15: rma.race (a request of the shared pointer over barriers)
static void case_15(void) {
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  if (rank == 0) MPI_File_iread_shared(file, memory, 4, MPI_INT, &request);   // @15
  pause_all();
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);             // @15
  pause_all();
  if (rank == 0) MPI_Wait(&request, NONE);
}
// case 16: ok (over before)
static void case_16(void) {
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  if (rank == 0) MPI_File_iread_shared(file, memory, 4, MPI_INT, &request);
  pause_all();
  if (rank == 0) MPI_Wait(&request, NONE);
  pause_all();
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
}
// case 17: rma.race (in the fence epoch of a put)
static void case_17(void) {
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, fenced);          // @17
  if (rank == 0) MPI_File_write_at(file, mine, other, 4, MPI_INT, NONE);    // @17
}
// case 18: ok (in the next one)
static void case_18(void) {
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, fenced);
  MPI_Win_fence(0, fenced);
  if (rank == 0) MPI_File_write_at(file, mine, other, 4, MPI_INT, NONE);
}
// case 19: rma.race (a collective read with every second element, and a put to one of them)
static void case_19(void) {
  MPI_Datatype second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  MPI_File_read_at_all(file, mine, memory, 1, second, NONE);                // @19
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 4, 1, MPI_INT, win);             // @19
  MPI_Type_free(&second);
}
// case 20: ok (the gap)
static void case_20(void) {
  MPI_Datatype second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  MPI_File_read_at_all(file, mine, memory, 1, second, NONE);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
  MPI_Type_free(&second);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(WORLD, &rank);
  mine = rank * 64;
  MPI_File_open(WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, mine, x, 16, MPI_INT, NONE);
  static void (*const cases[])(void) = {case_1,  case_2,  case_3,  case_4,  case_5,  case_6,  case_7,
                                        case_8,  case_9,  case_10, case_11, case_12, case_13, case_14,
                                        case_15, case_16, case_17, case_18, case_19, case_20};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &other, &fenced);
    memset(memory, 0, 16 * sizeof *memory), memset(other, 0, 16 * sizeof *memory);
    MPI_File_sync(file);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(WORLD);
    MPI_File_sync(file);
    MPI_Win_fence(0, fenced);
    cases[i]();
    MPI_Win_fence(0, fenced);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&fenced);
    MPI_Win_free(&win);
  }
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
