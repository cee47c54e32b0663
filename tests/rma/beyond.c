// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=touched_budget=50 %python %source/tests/rma/cases.py 2 %mpirun-check %t %s %case
// ONCE: not %mpirun-check -n 2 %t 1 2>&1 | FileCheck %s --check-prefix=ALL --implicit-check-not=pieces
// ONCE: env MPICC_CHECK_OPTIONS=touched_budget=50 %mpirun-check -n 2 %t 2 2>&1 | FileCheck %s --check-prefix=NOTE
// ONCE: env MPICC_CHECK_OPTIONS=log_limit=1 %mpirun-check -n 2 %t 9 2>&1 | FileCheck %s --check-prefix=FULL
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A window's memory that is touched in more pieces than are noted: of each 8 bytes the first load and the first store stand for all.
// ALL: [rma.race]
// NOTE: NOTE [unchecked] memory of a window was touched in more than 50 pieces between two calls of MPI: of each 8 bytes only the first load and the first
// NOTE: the window was made by MPI_Win_create
// FULL: WARNING [incomplete] window memory was touched in more than 8192 pieces: races of later loads and stores are not found
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

// Pieces of three bytes here and there: none of them join, and no bit stands for an element.
enum { N = 1 << 16, STEP = 7919 };
static int rank, x[4];
static unsigned char *memory;
static unsigned char sink[3];
static MPI_Win win;

__attribute__((noinline)) static void store(long at) {
  memset(memory + at, 1, 3);   // @1 @5
}
__attribute__((noinline)) static void store_pair(long at) {
  memset(memory + at + 2, 2, 3);   // @3
}
__attribute__((noinline)) static void load(long at) {
  memcpy(sink, memory + at, 3);   // @4
  __asm__ volatile("" : : "r"(sink) : "memory");
}
static void touch_all(void (*touch)(long), int n) {
  for (int i = 0; !rank && i < n; i++) touch((long)i * STEP % (N / 8) * 8);
}
static void put(long at) { if (rank) MPI_Put(x, 1, MPI_CHAR, 0, at, 1, MPI_CHAR, win); }   // @1 @3 @4 @5

// case 1: rma.race (a store long after the 50th piece)
static void far_store(void) { touch_all(store, 3000), put(2900L * STEP % (N / 8) * 8); }
// case 2: ok (next to it)
static void far_store_ok(void) { touch_all(store, 3000), put(2900L * STEP % (N / 8) * 8 + 3); }
// case 3: rma.race (two places share 8 bytes: the second one's bytes are its own)
static void shared_cell(void) { touch_all(store, 3000), touch_all(store_pair, 3000), put(2900L * STEP % (N / 8) * 8 + 3); }
// case 4: rma.race (loads do not hide behind stores of the bytes beside them)
static void loads(void) { touch_all(store_pair, 3000), touch_all(load, 3000), put(2900L * STEP % (N / 8) * 8); }
// case 5: rma.race (before the budget was reached, in the next interval)
static void again(void) {
  touch_all(store, 3000);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  touch_all(store, 3), put(2L * STEP % (N / 8) * 8);
}
// case 6: ok (what was kept of the interval before is over)
static void again_ok(void) {
  touch_all(store, 3000);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  touch_all(store, 3), put(2900L * STEP % (N / 8) * 8);
}
// case 7: ok (the bytes between them)
static void between(void) { touch_all(store, 3000), touch_all(store_pair, 3000), touch_all(load, 3000), put(2900L * STEP % (N / 8) * 8 + 5); }
static void many(void) {
  for (int i = 0; i < 20; i++) {
    touch_all(store, 3000);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {far_store, far_store_ok, shared_cell, loads, again, again_ok, between, NULL, many};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memory = calloc(N, 1);
  MPI_Win_create(memory, N, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  cases[atoi(argv[1]) - 1]();
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  free(memory);
  MPI_Finalize();
  return 0;
}
