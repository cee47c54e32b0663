// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns of locks and atomic operations tell another rank that a put is over: what the threads of the two ranks order
// before and behind them. LUCK says who comes first.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>
#include <sched.h>
#define REGION _Pragma("omp parallel num_threads(2)")
#define ME omp_get_thread_num()
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int luck, rank, other;
#define FIRST if (luck) usleep(3000)
#define SECOND if (!luck) usleep(3000)
static volatile int sink;
#define PUT(at) MPI_Put(&one, 1, MPI_INT, 1, at, 1, MPI_INT, win)
#define FLUSH MPI_Win_flush(1, win)
static int *mem, one = 1;
static MPI_Win win;
#define ALL MPI_Win_lock_all(0, win)
#define NONE MPI_Win_unlock_all(win)
#define LOCK(k) MPI_Win_lock(k, 1, 0, win)
#define UNLOCK MPI_Win_unlock(1, win)
#define X MPI_LOCK_EXCLUSIVE
#define S MPI_LOCK_SHARED


static void set(int at) { LOCK(X); PUT(at); UNLOCK; }
static void poll_flag(int at) {
  for (int is = 0; is != 1; sched_yield()) { LOCK(X); MPI_Get(&is, 1, MPI_INT, 1, at, 1, MPI_INT, win); UNLOCK; }
}
static void add(int at) { MPI_Accumulate(&one, 1, MPI_INT, 1, at, 1, MPI_INT, MPI_SUM, win); FLUSH; }
static void poll_atomic(int at) {
  int x = 0;
  for (int is = 0; is != 1; sched_yield()) { MPI_Fetch_and_op(&x, &is, MPI_INT, 1, at, MPI_NO_OP, win); FLUSH; }
}
static int fetch_own(int what, int at) {
  int n = 0;
  MPI_Fetch_and_op(&what, &n, MPI_INT, 0, at, MPI_SUM, win);
  MPI_Win_flush(0, win);
  return n;
}

// case 1: ok
static void case1(void) { // a flag by turns; all of it by one thread
  if (rank == 0) REGION { if (ME) { LOCK(S); PUT(1); UNLOCK; set(33); } }
  else { poll_flag(33); sink = mem[1]; }
  MPI_Barrier(WORLD);
}
// case 2: ok
static void case2(void) { // another thread sets it, behind a barrier of the team
  if (rank == 0) REGION {
    if (ME) { LOCK(S); PUT(2); UNLOCK; }
#pragma omp barrier
    if (!ME) set(34);
  }
  else { poll_flag(34); sink = mem[2]; }
  MPI_Barrier(WORLD);
}
// case 3: ok
static void case3(void) { // the other rank's threads: one polls, one loads behind a semaphore
  sem_t s;
  sem_init(&s, 0, 0);
  if (rank == 0) { LOCK(S); PUT(4); UNLOCK; set(36); }
  else REGION {
    if (ME) { poll_flag(36); sem_post(&s); }
    else { sem_wait(&s); sink = mem[4]; }
  }
  MPI_Barrier(WORLD);
  sem_destroy(&s);
}
// case 4: rma.race
static void case4(void) { // ... that loads before
  if (rank == 0) { LOCK(S); PUT(5); UNLOCK; set(37); } // @4
  else REGION {
    if (ME) { FIRST; poll_flag(37); }
    else { SECOND; sink = mem[5]; } // @4
  }
  MPI_Barrier(WORLD);
}
// case 5: ok
static void case5(void) { // one thread locks and unlocks, another one puts
  if (rank == 0) {
    REGION {
      if (!ME) LOCK(S);
#pragma omp barrier
      if (ME) PUT(6);
#pragma omp barrier
      if (!ME) { UNLOCK; set(38); }
    }
  } else { poll_flag(38); sink = mem[6]; }
  MPI_Barrier(WORLD);
}
// case 6: ok
static void case6(void) { // an atomic flag of another thread behind a barrier
  ALL;
  if (rank == 0) REGION {
    if (ME) { PUT(7); FLUSH; }
#pragma omp barrier
    if (!ME) add(39);
  }
  else { poll_atomic(39); MPI_Win_sync(win); sink = mem[7]; }
  NONE;
  MPI_Barrier(WORLD);
}
// case 7: rma.race
static void case7(void) { // ... without one
  ALL;
  if (rank == 0) REGION {
    if (ME) { FIRST; PUT(8); FLUSH; } // @7
    else { SECOND; add(40); }
  }
  else { poll_atomic(40); MPI_Win_sync(win); sink = mem[8]; } // @7
  NONE;
  MPI_Barrier(WORLD);
}
// case 8: ok
static void case8(void) { // a fetch that another thread completes, and looks at
  ALL;
  if (rank == 0) { PUT(9); FLUSH; add(41); }
  else REGION {
    static int zero, is;
    for (int over = 0; !over;) {
      if (ME) MPI_Fetch_and_op(&zero, &is, MPI_INT, 1, 41, MPI_NO_OP, win);
#pragma omp barrier
      if (!ME) FLUSH;
#pragma omp barrier
      over = is;
#pragma omp barrier
    }
    if (!ME) { MPI_Win_sync(win); sink = mem[9]; }
  }
  NONE;
  MPI_Barrier(WORLD);
}
// case 9: ok
static void case9(void) { // a put that another thread completes, before it sets the flag
  ALL;
  if (rank == 0) REGION {
    if (ME) PUT(10);
#pragma omp barrier
    if (!ME) { FLUSH; add(42); }
  }
  else { poll_atomic(42); MPI_Win_sync(win); sink = mem[10]; }
  NONE;
  MPI_Barrier(WORLD);
}
// case 10: rma.race
static void case10(void) { // ... without a barrier
  ALL;
  if (rank == 0) REGION {
    if (ME) { FIRST; PUT(11); } // @10
    else { SECOND; FLUSH; add(43); }
  }
  else { poll_atomic(43); MPI_Win_sync(win); sink = mem[11]; } // @10
  NONE;
  MPI_Barrier(WORLD);
}
// case 11: ok
static void case11(void) { // a lock made of atomic operations, threads of both ranks; then loads behind it
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  ALL;
  REGION {
    for (int i = 0; i < 2; i++) {
      pthread_mutex_lock(&m);
      int zero = 0, old = 1;
      for (; old; sched_yield()) { MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 1, 44, win); FLUSH; }
      int v = 0;
      MPI_Get(&v, 1, MPI_INT, 1, 12, 1, MPI_INT, win); FLUSH;
      v++;
      MPI_Put(&v, 1, MPI_INT, 1, 12, 1, MPI_INT, win); FLUSH;
      MPI_Accumulate(&zero, 1, MPI_INT, 1, 44, 1, MPI_INT, MPI_REPLACE, win); FLUSH;
      pthread_mutex_unlock(&m);
    }
  }
  NONE;
  MPI_Barrier(WORLD);
}
// case 12: ok
static void case12(void) { // the same without the mutex: each thread for itself
  ALL;
  REGION {
    int zero = 0, old = 1, v = 0;
    for (; old; sched_yield()) { MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 1, 45, win); FLUSH; }
    MPI_Get(&v, 1, MPI_INT, 1, 13, 1, MPI_INT, win); FLUSH;
    v++;
    MPI_Put(&v, 1, MPI_INT, 1, 13, 1, MPI_INT, win); FLUSH;
    MPI_Accumulate(&zero, 1, MPI_INT, 1, 45, 1, MPI_INT, MPI_REPLACE, win); FLUSH;
  }
  NONE;
  MPI_Barrier(WORLD);
}
// case 13: ok
static void case13(void) { // a last one by a counter: the thread that finds all others done reads what they have put
  ALL;
  REGION {
    int n = 0;
    MPI_Put(&one, 1, MPI_INT, 1, 46 + 2 * rank + ME, 1, MPI_INT, win); FLUSH;
    MPI_Fetch_and_op(&one, &n, MPI_INT, 1, 50, MPI_SUM, win); FLUSH;
    if (n == 3) { int v[4]; MPI_Get(v, 4, MPI_INT, 1, 46, 4, MPI_INT, win); FLUSH; sink = v[0] + v[3]; }
  }
  NONE;
  MPI_Barrier(WORLD);
}
// case 14: rma.race
static void case14(void) { // ... before the puts are flushed
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) REGION {
    if (ME) {
      FIRST;
      PUT(51); // @14
      fetch_own(1, 52);
      FLUSH;
    }
    else {
      SECOND;
      while (!fetch_own(0, 52)) sched_yield();
      PUT(51); FLUSH; // @14
    }
  }
  NONE;
  MPI_Barrier(WORLD);
}
// case 15: ok
static void case15(void) { // turns hand a place to and fro between threads of two ranks
  for (int i = 0; i < 4; i++) {
    if (i % 2 == rank) REGION {
      if (ME == i / 2) { LOCK(X); PUT(53); UNLOCK; MPI_Send(&i, 1, MPI_INT, other, 53, WORLD); }
    }
    else { int x; MPI_Recv(&x, 1, MPI_INT, other, 53, WORLD, IGNORE); }
  }
  if (rank == 1) { LOCK(S); sink = mem[53]; UNLOCK; }
  MPI_Barrier(WORLD);
}
// case 16: ok
static void case16(void) { // a counter in the own window tells another thread of this rank, which puts there, too
  ALL;
  if (rank == 0) REGION {
    if (ME) { PUT(54); FLUSH; fetch_own(1, 55); }
    else {
      while (!fetch_own(0, 55)) sched_yield();
      PUT(54); FLUSH;
    }
  }
  NONE;
  MPI_Barrier(WORLD);
}
// case 17: ok
static void case17(void) { // ... which tells the other rank
  ALL;
  if (rank == 0) REGION {
    if (ME) { PUT(56); FLUSH; fetch_own(1, 57); }
    else {
      while (!fetch_own(0, 57)) sched_yield();
      MPI_Send(&one, 1, MPI_INT, other, 56, WORLD);
    }
  }
  else {
    int x;
    MPI_Recv(&x, 1, MPI_INT, other, 56, WORLD, IGNORE);
    MPI_Win_sync(win);
    sink = mem[56];
  }
  NONE;
  MPI_Barrier(WORLD);
}

int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(WORLD, &rank);
  other = !rank;
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &mem, &win);
  void (*const cases[])(void) = {
      case1, case2, case3, case4, case5, case6, case7, case8, case9, case10, case11, case12, case13, case14,
      case15, case16, case17};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) cases[i]();
  MPI_Win_free(&win);
  MPI_Finalize();
}
