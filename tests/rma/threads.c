// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t -lpthread
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that work on window memory beside the communication of others; one that calls MPI for them all.
#include <mpi.h>
#include <pthread.h>

static int rank, x[8], memory[16];
static MPI_Win win;

static void *store_early(void *p) {
  ((int *)p)[3] = 1;   // @1
  return NULL;
}
static void *store_late(void *p) {
  ((int *)p)[3] = 2;   // @2
  return NULL;
}
static void *load_part(void *p) {
  x[1] += ((int *)p)[8];   // @3
  return NULL;
}
static void *put(void *p) {
  (void)p;
  MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @4 @5
  MPI_Win_flush(0, win);
  return NULL;
}
static void run(void *(*f)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, f, memory);
  pthread_join(thread, NULL);
}

// case 1: rma.race (a thread of the target stores meanwhile)
static void case_1(void) {
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @1
  if (!rank) run(store_early);
  MPI_Win_unlock_all(win);
}
// case 2: ok (afterwards)
static void case_2(void) {
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @2
  MPI_Win_flush_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) run(store_late);
  MPI_Win_unlock_all(win);
}
// case 3: ok (other bytes)
static void case_3(void) {
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 7, 1, MPI_INT, win);   // @3
  if (!rank) run(load_part);
  MPI_Win_unlock_all(win);
}
// case 4: ok (another thread puts and flushes; the barrier comes behind it)
static void case_4(void) {
  MPI_Win_lock_all(0, win);
  if (rank == 1) run(put);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) MPI_Get(x + 2, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @4
  MPI_Win_unlock_all(win);
}
// case 5: rma.race (nothing comes behind it)
static void case_5(void) {
  MPI_Win_lock_all(0, win);
  if (rank == 1) run(put);
  if (rank == 2) MPI_Get(x + 2, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @5
  MPI_Win_unlock_all(win);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5};
  for (int i = 0; i < 5; i++) {
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    cases[i]();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return provided < MPI_THREAD_SERIALIZED;
}
