// CASES: // case (\d+):
// ONCE: %mpicc-check %s -o %t
// RUN: %python %source/tests/rma/cases.py 2 %mpirun-check %t %s %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a window must stay until MPI_Win_free has returned (MPI-3.1 11.2.5).
#include <mpi.h>
#include <stdlib.h>

enum { N = 1000 };
static MPI_Win win;
static int rank;

static int *make(void) {
  int *memory = calloc(N, sizeof *memory);
  MPI_Win_create(memory, N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return memory;
}

// case 1: rma.window-memory-freed (free, then a fence)
static void case_1(void) {
  int *memory = make();
  MPI_Win_fence(0, win);
  if (rank == 0) free(memory);   // @1
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  if (rank == 1) free(memory);
}
// case 2: ok
static void case_2(void) {
  int *memory = make(), *other = malloc(N);
  free(other);
  MPI_Win_free(&win);
  free(memory);
}
// case 3: rma.window-memory-freed (it moved)
static void case_3(void) {
  int *memory = make(), *other = malloc(N);
  if (rank == 0) memory = realloc(memory, 1 << 24);   // @3
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  free(memory), free(other);
}
// case 4: ok (a part in the middle of a block; the window is made again)
static void case_4(void) {
  int *memory = calloc(N, sizeof *memory);
  for (int i = 0; i < 3; i++) {
    MPI_Win_create(memory + 10 * i, 100, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
  }
  free(memory);
}
// case 5: rma.window-memory-freed (a local variable)
static __attribute__((noinline)) void make_local(void) {
  int memory[N];
  memory[0] = 0;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
}   // @5 @8
static void case_5(void) {
  if (rank == 1) make_local();
  else MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}
// case 6: ok (of a function that has not returned)
static __attribute__((noinline)) void work(int depth) {
  if (depth > 0) work(depth - 1);
  else MPI_Win_fence(0, win);
}
static void case_6(void) {
  int memory[N];
  memory[0] = 0;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  work(0);
  work(5);
  MPI_Win_free(&win);
}

// case 7: rma.window-memory-early (nothing but MPI_Win_free follows)
static void case_7(void) {
  int *memory = make();
  MPI_Win_fence(0, win);
  MPI_Win_fence(0, win);
  free(memory);   // @7
  MPI_Win_free(&win);
}
// case 8: rma.window-memory-early (a local variable)
static void case_8(void) {
  if (rank == 1) make_local();
  else MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_free(&win);
}
// case 9: rma.window-memory-early (memory of MPI)
static int *make_of_mpi(void) {
  int *memory;
  MPI_Alloc_mem(N * sizeof *memory, MPI_INFO_NULL, &memory);
  MPI_Win_create(memory, N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return memory;
}
static void case_9(void) {
  int *memory = make_of_mpi();
  MPI_Free_mem(memory);   // @9
  MPI_Win_free(&win);
}
// case 10: rma.window-memory-freed (memory of MPI, then a fence)
static void case_10(void) {
  int *memory = make_of_mpi();
  if (rank == 0) MPI_Free_mem(memory);   // @10
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  if (rank == 1) MPI_Free_mem(memory);
}
// case 11: ok (the window is freed first)
static void case_11(void) {
  int *memory = make_of_mpi();
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Free_mem(memory);
}
// case 12: rma.window-memory-early (attached memory, before MPI_Win_detach)
static int *attach(void) {
  int *memory = malloc(N * sizeof *memory);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_attach(win, memory, N * sizeof *memory);
  return memory;
}
static void case_12(void) {
  int *memory = attach();
  free(memory);   // @12
  MPI_Win_detach(win, memory);
  MPI_Win_free(&win);
}
// case 13: ok (detached first)
static void case_13(void) {
  int *memory = attach();
  MPI_Win_detach(win, memory);
  free(memory);
  MPI_Win_free(&win);
}
// case 14: rma.race-local (a variable of a function, also where the next frame does not reach it)
static __attribute__((noinline)) void put(const int *from) {
  MPI_Put(from, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);   // @14
}
static __attribute__((noinline)) void put_own(int value) {
  put(&value);
}   // @14
static __attribute__((noinline)) void end_epoch(void) {
  volatile char large[4000];
  large[0] = 1;
  MPI_Win_fence(0, win);
}
static void case_14(void) {
  int *memory = make();
  MPI_Win_fence(0, win);
  put_own(3);
  end_epoch();
  MPI_Win_free(&win);
  free(memory);
}
// case 15: ok (complete in the function)
static __attribute__((noinline)) void put_and_end(int value) {
  put(&value);
  end_epoch();
}
static void case_15(void) {
  int *memory = make();
  MPI_Win_fence(0, win);
  for (int i = 0; i < 2; i++) put_and_end(i);
  MPI_Win_free(&win);
  free(memory);
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5,  case_6,  case_7,
                                       case_8, case_9, case_10, case_11, case_12, case_13, case_14,
                                       case_15};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cases[atoi(argv[1]) - 1]();
  MPI_Finalize();
  return 0;
}
