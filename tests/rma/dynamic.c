// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of dynamic windows, from MPI_Win_attach to MPI_Win_detach (MPI-3.1 11.2.4).
#include <mpi.h>
#include <stdlib.h>

enum { N = 4096, LARGE = 1 << 16 };
static int rank, x[64], *memory, *large;
static MPI_Win win;
static MPI_Aint at;

static void open_window(void) {
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
}
static void close_window(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
}
static void tell(const void *where) {
  MPI_Get_address(where, &at);
  MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
}

// case 1: ok (attached, detached, and attached again)
static void case_1(void) {
  open_window();
  for (int i = 0; i < 3; i++) {
    memory[2] = i;
    if (!rank) MPI_Win_attach(win, memory, N);
    tell(memory);
    MPI_Win_lock_all(0, win);
    if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @1
    if (!rank) x[1] = memory[1];   // @1
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank) x[2] = memory[0];   // @1
    if (!rank) MPI_Win_detach(win, memory);
    if (!rank) memory[0] = 2;   // @1
  }
  close_window();
}
// case 2: rma.race (in the second life of the memory)
static void case_2(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, memory, N), MPI_Win_detach(win, memory), MPI_Win_attach(win, memory, N);
  tell(memory);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @2
  if (!rank) memory[0] = 7;   // @2
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) MPI_Win_detach(win, memory);
  close_window();
}
// case 3: rma.range (it is not attached any more)
static void case_3(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, memory, N);
  tell(memory);
  if (!rank) MPI_Win_detach(win, memory);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @3
  MPI_Win_unlock_all(win);
  close_window();
}
// case 4: rma.range (it was never attached: the first bytes behind what was)
static void case_4(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, memory, N);
  tell(memory);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 2, MPI_INT, 0, MPI_Aint_add(at, N - 4), 2, MPI_INT, win);   // @4
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) MPI_Win_detach(win, memory);
  close_window();
}
// case 5: rma.range (under fences)
static void case_5(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, memory, N);
  tell(memory);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (!rank) MPI_Win_detach(win, memory);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @5
  MPI_Win_fence(0, win);
  close_window();
}
// case 6: rma.race (nothing says that the operation is over)
static void case_6(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, memory, N);
  tell(memory);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @6
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
  if (rank == 1) MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
  if (rank == 2) MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!rank) MPI_Win_detach(win, memory);   // @6
  close_window();
}
// case 7: ok (two windows have it; the store comes behind both operations)
static void case_7(void) {
  MPI_Win other;
  open_window();
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  if (!rank) MPI_Win_attach(win, memory, N), MPI_Win_attach(other, memory + 1, N - 8);
  tell(memory);
  MPI_Win_lock_all(0, win), MPI_Win_lock_all(0, other);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @7
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, MPI_Aint_add(at, 4), 1, MPI_INT, other);   // @7
  MPI_Win_unlock_all(win), MPI_Win_unlock_all(other);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) memory[1] = 3;   // @7
  if (!rank) MPI_Win_detach(win, memory), MPI_Win_detach(other, memory + 1);
  MPI_Win_free(&other);
  close_window();
}
// case 8: rma.race (two windows have it: one finding)
static void case_8(void) {
  MPI_Win other;
  open_window();
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  if (!rank) MPI_Win_attach(win, memory, N), MPI_Win_attach(other, memory, N);
  tell(memory);
  MPI_Win_lock_all(0, win), MPI_Win_lock_all(0, other);
  if (rank == 1) MPI_Accumulate(x, 1, MPI_INT, 0, MPI_Aint_add(at, 8), 1, MPI_INT, MPI_SUM, other);   // @8
  if (!rank) x[3] = memory[2];   // @8
  MPI_Win_unlock_all(win), MPI_Win_unlock_all(other);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) MPI_Win_detach(win, memory), MPI_Win_detach(other, memory);
  MPI_Win_free(&other);
  close_window();
}
// case 9: rma.attach (memory that is attached already)
static void case_9(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, memory, N);
  if (!rank) MPI_Win_attach(win, memory + 10, 40);   // @9
  close_window();
}
// case 10: ok (next to each other)
static void case_10(void) {
  open_window();
  MPI_Win_attach(win, memory + 10, 40);
  MPI_Win_attach(win, memory, 40);
  MPI_Win_attach(win, memory + 20, 40);
  MPI_Win_detach(win, memory + 10);
  MPI_Win_attach(win, memory + 10, 40);
  MPI_Win_detach(win, memory + 20);
  MPI_Win_detach(win, memory);
  MPI_Win_detach(win, memory + 10);
  close_window();
}
// case 11: rma.window-memory-freed (it is still attached)
static void case_11(void) {
  int *block = malloc(N);
  open_window();
  if (!rank) MPI_Win_attach(win, block, N);
  if (!rank) free(block);   // @11
  MPI_Win_lock_all(0, win);
  MPI_Win_flush_all(win);
  MPI_Win_unlock_all(win);
  if (!rank) MPI_Win_detach(win, block);
  if (rank) free(block);
  close_window();
}
// case 12: ok (detached first)
static void case_12(void) {
  int *block = malloc(N);
  open_window();
  if (!rank) MPI_Win_attach(win, block, N);
  if (!rank) MPI_Win_detach(win, block);
  free(block);
  MPI_Win_lock_all(0, win);
  MPI_Win_unlock_all(win);
  close_window();
}
// case 13: rma.race (a large piece, touched here and there)
static void case_13(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, large, LARGE * sizeof *large);
  tell(large);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, MPI_Aint_add(at, 4 * (1000 * 7919 % LARGE)), 1, MPI_INT, win);   // @13
  for (int i = 0; !rank && i < 2000; i++) large[i * 7919 % LARGE]++;   // @13
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) MPI_Win_detach(win, large);
  close_window();
}
// case 14: ok (... elsewhere)
static void case_14(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, large, LARGE * sizeof *large);
  tell(large);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, MPI_Aint_add(at, 4 * (3000 * 7919 % LARGE)), 1, MPI_INT, win);   // @14
  for (int i = 0; !rank && i < 2000; i++) large[i * 7919 % LARGE]++;   // @14
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) MPI_Win_detach(win, large);
  close_window();
}
// case 15: rma.race-local (a result buffer in attached memory, and an operation of another rank there)
static void case_15(void) {
  open_window();
  MPI_Win_attach(win, memory, N);
  tell(memory);
  MPI_Win_lock_all(0, win);
  if (!rank) MPI_Get(&memory[5], 1, MPI_INT, 0, MPI_Aint_add(at, 4 * 9), 1, MPI_INT, win);   // @15
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, MPI_Aint_add(at, 4 * 5), 1, MPI_INT, win);   // @15
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_detach(win, memory);
  close_window();
}
// case 16: ok (memory that is not attached does not count, nor does that of a window that has been freed)
static void case_16(void) {
  open_window();
  if (!rank) MPI_Win_attach(win, memory, 40);
  tell(memory);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, at, 1, MPI_INT, win);   // @16
  if (!rank) memory[10] = 1;   // @16
  MPI_Win_unlock_all(win);
  close_window();
  memory[0] = 9;   // @16
}
// case 17: rma.race (a strided loop over many small pieces)
static void case_17(void) {
  open_window();
  for (int i = 0; !rank && i < 20; i++) MPI_Win_attach(win, &memory[i * 10], 16);
  tell(memory);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, MPI_Aint_add(at, 4 * 123), 1, MPI_INT, win);   // @17
  for (int i = 3; !rank && i < 200; i += 5) memory[i] = i;   // @17
  MPI_Win_unlock_all(win);
  close_window();
}
// case 18: ok (... whose steps miss it)
static void case_18(void) {
  open_window();
  for (int i = 0; !rank && i < 20; i++) MPI_Win_attach(win, &memory[i * 10], 16);
  tell(memory);
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Get(x, 1, MPI_INT, 0, MPI_Aint_add(at, 4 * 122), 1, MPI_INT, win);   // @18
  for (int i = 3; !rank && i < 200; i += 5) memory[i] = i;   // @18
  MPI_Win_unlock_all(win);
  close_window();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memory = calloc(N, 1), large = calloc(LARGE, sizeof *large);
  case_1(), case_2(), case_3(), case_4(), case_5(), case_6(), case_7(), case_8(), case_9(), case_10(), case_11(), case_12(), case_13(), case_14();
  case_15(), case_16(), case_17(), case_18();
  free(memory), free(large);
  MPI_Finalize();
  return 0;
}
