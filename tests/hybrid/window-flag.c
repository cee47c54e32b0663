// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread puts, and another one tells: by a flag in a turn of a lock, in another window, by an accumulate, by a
// request, a collective, or the end of an epoch. Each wrong case has a right twin behind it. LUCK says which of the two
// threads comes first; the second one waits for a plain flag, which orders nothing.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#define REGION _Pragma("omp parallel num_threads(2)")
#define ME omp_get_thread_num()
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int luck, rank, other;
static volatile int nover, sink; // nover: parts of a region that are over
#define FIRST while (luck && !nover) sched_yield()
#define SECOND while (!luck && !nover) sched_yield()
#define OVER nover = 1
#define PUT(at) MPI_Put(&one, 1, MPI_INT, 1, at, 1, MPI_INT, win)
#define FLUSH MPI_Win_flush(1, win)
#define ALL MPI_Win_lock_all(0, win)
#define NONE MPI_Win_unlock_all(win)
#define LOCK(k, w) MPI_Win_lock(k, 1, 0, w)
#define UNLOCK(w) MPI_Win_unlock(1, w)
#define X MPI_LOCK_EXCLUSIVE
#define S MPI_LOCK_SHARED
enum { SIZE = 128, FLAGS = 64 };
static int *mem, *flags, one = 1;
static MPI_Win win, flag_win;
static MPI_Comm own;
static void tell(int tag) { MPI_Send(&one, 1, MPI_INT, other, tag, WORLD); }
static void hear(int tag) {
  int x;
  MPI_Recv(&x, 1, MPI_INT, other, tag, WORLD, IGNORE);
}
static void set_turn(int at, MPI_Win w) {
  LOCK(X, w);
  MPI_Put(&one, 1, MPI_INT, 1, FLAGS + at, 1, MPI_INT, w);
  UNLOCK(w);
}
static void poll_turn(int at, MPI_Win w) {
  for (int is = 0; is != 1; sched_yield()) {
    LOCK(X, w);
    MPI_Get(&is, 1, MPI_INT, 1, FLAGS + at, 1, MPI_INT, w);
    UNLOCK(w);
  }
}
static void add(int at) {
  MPI_Accumulate(&one, 1, MPI_INT, 1, FLAGS + at, 1, MPI_INT, MPI_SUM, win);
  FLUSH;
}
static void poll_atomic(int at) {
  int x = 0;
  for (int is = 0; is != 1; sched_yield()) {
    MPI_Fetch_and_op(&x, &is, MPI_INT, 1, FLAGS + at, MPI_NO_OP, win);
    FLUSH;
  }
  MPI_Win_sync(win);
}
// Both threads are in their parts: so one of them does not run both. It orders nothing.
static atomic_int met[32];
static void meet(int n) {
  atomic_fetch_add_explicit(&met[n], 1, memory_order_relaxed);
  while (atomic_load_explicit(&met[n], memory_order_relaxed) < 2) sched_yield();
}

static pthread_barrier_t two;
static void meet_two(int *over, int is) {
  pthread_barrier_wait(&two);
  *over = is;
}

// case 1: rma.race
static void case1(void) { // a shared turn of one thread puts; another one tells behind an exclusive turn
  if (rank == 0) REGION {
    if (ME) { FIRST; LOCK(S, win); PUT(1); UNLOCK(win); OVER; } // @1
    else { SECOND; set_turn(1, win); tell(1); OVER; }
  }
  else { hear(1); sink = mem[1]; } // @1
}
// case 2: ok
static void case2(void) {
  if (rank == 0) REGION {
    if (ME) { LOCK(S, win); PUT(2); UNLOCK(win); }
#pragma omp barrier
    if (!ME) { set_turn(2, win); tell(2); }
  }
  else { hear(2); sink = mem[2]; }
}
// case 3: rma.race
static void case3(void) { // the flag is in another window
  if (rank == 0) REGION {
    if (ME) { FIRST; LOCK(S, win); PUT(3); UNLOCK(win); OVER; } // @3
    else { SECOND; set_turn(3, flag_win); OVER; }
  }
  else { poll_turn(3, flag_win); sink = mem[3]; } // @3
}
// case 4: ok
static void case4(void) {
  sem_t s;
  sem_init(&s, 0, 0);
  if (rank == 0) REGION {
    if (ME) { LOCK(S, win); PUT(4); UNLOCK(win); sem_post(&s); }
    else { sem_wait(&s); set_turn(4, flag_win); }
  }
  else { poll_turn(4, flag_win); sink = mem[4]; }
  sem_destroy(&s);
}
// case 5: rma.race
static void case5(void) { // two sections
  ALL;
  if (rank == 0) {
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
      { meet(5); FIRST; PUT(5); FLUSH; OVER; } // @5
#pragma omp section
      { meet(5); SECOND; add(5); OVER; }
    }
  } else { poll_atomic(5); sink = mem[5]; } // @5
  NONE;
}
// case 6: ok
static void case6(void) { // one section does both
  ALL;
  if (rank == 0) {
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
      { PUT(6); FLUSH; add(6); }
#pragma omp section
      sink = 1;
    }
  } else { poll_atomic(6); sink = mem[6]; }
  NONE;
}
// case 7: rma.race
static void case7(void) { // two tasks, without a dependence
  ALL;
  if (rank == 0) REGION {
#pragma omp single
    {
#pragma omp task
      { meet(7); FIRST; PUT(7); FLUSH; OVER; } // @7
#pragma omp task
      {
        MPI_Request request;
        meet(7);
        SECOND;
        MPI_Issend(&one, 1, MPI_INT, 1, 7, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        OVER;
      }
    }
  }
  else { hear(7); MPI_Win_sync(win); sink = mem[7]; } // @7
  NONE;
}
// case 8: ok
static void case8(void) { // a taskgroup around the one that puts
  ALL;
  if (rank == 0) REGION {
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task
        { PUT(8); FLUSH; }
      }
#pragma omp task
      {
        MPI_Request request;
        MPI_Issend(&one, 1, MPI_INT, 1, 8, WORLD, &request);
        MPI_Wait(&request, IGNORE);
      }
    }
  }
  else { hear(8); MPI_Win_sync(win); sink = mem[8]; }
  NONE;
}
// case 9: rma.race
static atomic_int did;
static void *put_relaxed(void *unused) {
  PUT(9); // @9
  FLUSH;
  atomic_store_explicit(&did, 1, memory_order_relaxed);
  return unused;
}
static void case9(void) { // a relaxed flag between two threads of POSIX; the other one takes part in an Ibarrier
  ALL;
  if (rank == 0) {
    pthread_t t;
    MPI_Request request;
    pthread_create(&t, 0, put_relaxed, 0);
    while (!atomic_load_explicit(&did, memory_order_relaxed)) sched_yield();
    MPI_Ibarrier(own, &request);
    MPI_Wait(&request, IGNORE);
    pthread_join(t, 0);
  } else { MPI_Request r; MPI_Ibarrier(own, &r); MPI_Wait(&r, IGNORE); MPI_Win_sync(win); sink = mem[9]; } // @9
  NONE;
}
// case 10: ok
static void *put_released(void *unused) {
  PUT(10);
  FLUSH;
  atomic_store_explicit(&did, 2, memory_order_release);
  return unused;
}
static void case10(void) {
  ALL;
  if (rank == 0) {
    pthread_t t;
    MPI_Request request;
    pthread_create(&t, 0, put_released, 0);
    while (atomic_load_explicit(&did, memory_order_acquire) != 2) sched_yield();
    MPI_Ibarrier(own, &request);
    MPI_Wait(&request, IGNORE);
    pthread_join(t, 0);
  } else { MPI_Request r; MPI_Ibarrier(own, &r); MPI_Wait(&r, IGNORE); MPI_Win_sync(win); sink = mem[10]; }
  NONE;
}
// case 11: rma.race
static mtx_t m1, m2;
static int is_put;
static void case11(void) { // the flag is kept by two locks
  ALL;
  is_put = 0;
  if (rank == 0) REGION {
    if (ME) { FIRST; mtx_lock(&m1); PUT(11); FLUSH; is_put = 1; mtx_unlock(&m1); OVER; } // @11
    else { SECOND; mtx_lock(&m2); sink = is_put; tell(11); mtx_unlock(&m2); OVER; }
  }
  else { hear(11); MPI_Win_sync(win); sink = mem[11]; } // @11
  NONE;
}
// case 12: ok
static void case12(void) { // by one
  ALL;
  is_put = 0;
  if (rank == 0) REGION {
    if (ME) { mtx_lock(&m1); PUT(12); FLUSH; is_put = 1; mtx_unlock(&m1); }
    else {
      for (int is = 0; !is; sched_yield()) { mtx_lock(&m1); is = is_put; mtx_unlock(&m1); }
      tell(12);
    }
  }
  else { hear(12); MPI_Win_sync(win); sink = mem[12]; }
  NONE;
}
// case 13: rma.race
static void case13(void) { // an Allreduce of the other thread
  ALL;
  if (rank == 0) REGION {
    if (ME) { FIRST; PUT(13); FLUSH; OVER; } // @13
    else { int sum; SECOND; MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own); OVER; }
  }
  else { int sum; MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own); MPI_Win_sync(win); sink = mem[13]; } // @13
  NONE;
}
// case 14: ok
static void case14(void) { // ... that waits for the region's end
  ALL;
  int sum;
  if (rank == 0) {
    REGION { if (ME) { PUT(14); FLUSH; } }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own);
  } else { MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own); MPI_Win_sync(win); sink = mem[14]; }
  NONE;
}
// case 15: rma.race
static void case15(void) { // the request of a put says nothing of the target, whoever waits for it
  sem_t s;
  sem_init(&s, 0, 0);
  ALL;
  if (rank == 0) REGION {
    static MPI_Request request;
    if (ME) { MPI_Rput(&one, 1, MPI_INT, 1, 15, 1, MPI_INT, win, &request); sem_post(&s); } // @15
    else { sem_wait(&s); MPI_Wait(&request, IGNORE); tell(15); }
  }
  else { hear(15); MPI_Win_sync(win); sink = mem[15]; } // @15
  NONE;
  sem_destroy(&s);
}
// case 16: ok
static void case16(void) {
  sem_t s;
  sem_init(&s, 0, 0);
  ALL;
  if (rank == 0) REGION {
    static MPI_Request request;
    if (ME) { MPI_Rput(&one, 1, MPI_INT, 1, 16, 1, MPI_INT, win, &request); sem_post(&s); }
    else { sem_wait(&s); MPI_Wait(&request, IGNORE); FLUSH; tell(16); }
  }
  else { hear(16); MPI_Win_sync(win); sink = mem[16]; }
  NONE;
  sem_destroy(&s);
}
// case 17: rma.race
static void case17(void) { // a get of one thread, and another one tells the target that it may store
  ALL;
  if (rank == 0) {
    int got;
    REGION {
      if (ME) { FIRST; MPI_Get(&got, 1, MPI_INT, 1, 17, 1, MPI_INT, win); FLUSH; OVER; } // @17
      else { SECOND; tell(17); OVER; }
    }
  } else { hear(17); mem[17] = 5; } // @17
  NONE;
}
// case 18: ok
static void case18(void) { // the flush comes before the barrier of the team
  ALL;
  if (rank == 0) {
    int got;
    REGION {
      if (ME) { MPI_Get(&got, 1, MPI_INT, 1, 18, 1, MPI_INT, win); MPI_Win_flush_local(1, win); }
#pragma omp barrier
      if (!ME) tell(18);
    }
  } else { hear(18); mem[18] = 5; }
  NONE;
}
// case 19: rma.race
static void case19(void) { // at the target one thread hears, under one lock, and another one loads, under another one
  static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
  ALL;
  if (rank == 0) { PUT(19); FLUSH; tell(19); } // @19
  else REGION {
    if (ME) { FIRST; pthread_mutex_lock(&a); hear(19); pthread_mutex_unlock(&a); OVER; }
    else { SECOND; pthread_mutex_lock(&b); sink = mem[19]; pthread_mutex_unlock(&b); OVER; } // @19
  }
  NONE;
}
// case 20: ok
static void case20(void) { // a condition variable says that it has heard
  static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  static int has;
  ALL;
  if (rank == 0) { PUT(20); FLUSH; tell(20); }
  else REGION {
    if (ME) {
      hear(20);
      pthread_mutex_lock(&a);
      has = 1;
      pthread_cond_signal(&c);
      pthread_mutex_unlock(&a);
    } else {
      pthread_mutex_lock(&a);
      while (!has) pthread_cond_wait(&c, &a);
      pthread_mutex_unlock(&a);
      MPI_Win_sync(win);
      sink = mem[20];
    }
  }
  NONE;
}
// case 21: ok
static void case21(void) { // who sets the flag has seen before, in its turn, that the other thread has put
  if (rank == 0) REGION {
    if (ME) {
      mtx_lock(&m1);
      LOCK(X, win);
      PUT(21);
      MPI_Put(&one, 1, MPI_INT, 1, 22, 1, MPI_INT, win);
      UNLOCK(win);
      mtx_unlock(&m1);
    } else for (int is = 0; !is; sched_yield()) {
      mtx_lock(&m1);
      LOCK(X, win);
      MPI_Get(&is, 1, MPI_INT, 1, 22, 1, MPI_INT, win);
      FLUSH;
      if (is) MPI_Put(&one, 1, MPI_INT, 1, FLAGS + 21, 1, MPI_INT, win);
      UNLOCK(win);
      mtx_unlock(&m1);
    }
  }
  else { poll_turn(21, win); sink = mem[21]; }
}

// case 22: ok
static void case22(void) { // the thread that tells sees in its turn that the other one has put
  if (rank == 0) REGION {
    if (ME) { mtx_lock(&m1); LOCK(X, win); PUT(23); PUT(24); UNLOCK(win); mtx_unlock(&m1); }
    else for (int is = 0; !is; sched_yield()) {
      mtx_lock(&m1);
      LOCK(S, win);
      MPI_Get(&is, 1, MPI_INT, 1, 24, 1, MPI_INT, win);
      UNLOCK(win);
      mtx_unlock(&m1);
      if (is) tell(23);
    }
  }
  else { hear(23); LOCK(S, win); sink = mem[23]; UNLOCK(win); }
}
// case 23: ok
static void case23(void) { // a third thread reads in the turn of the second one, and tells
  static int is;
  if (rank == 0) {
#pragma omp parallel num_threads(3)
    {
      if (ME == 2) { mtx_lock(&m1); LOCK(X, win); PUT(25); PUT(26); UNLOCK(win); mtx_unlock(&m1); }
      else for (int over = 0; !over;) {
        if (ME == 0) { mtx_lock(&m1); LOCK(S, win); }
        meet_two(&over, 0);
        if (ME == 1) { MPI_Get(&is, 1, MPI_INT, 1, 26, 1, MPI_INT, win); FLUSH; }
        meet_two(&over, 0);
        if (ME == 1 && is) tell(25);
        if (ME == 0) { UNLOCK(win); mtx_unlock(&m1); }
        meet_two(&over, is);
      }
    }
  } else { hear(25); LOCK(S, win); sink = mem[25]; UNLOCK(win); }
}
// case 24: rma.race
static void case24(void) { // a load while another thread of its process happens to hold the exclusive lock
  if (rank == 0) { LOCK(S, win); PUT(27); UNLOCK(win); } // @24
  else REGION {
    if (ME) {
      LOCK(X, win);
      meet(24);
      while (!nover) sched_yield();
      UNLOCK(win);
    } else { meet(24); sink = mem[27]; OVER; } // @24
  }
}
// case 25: ok
static void case25(void) { // ... that holds it in each run
  if (rank == 0) { LOCK(S, win); PUT(28); UNLOCK(win); }
  else REGION {
    if (ME) LOCK(X, win);
#pragma omp barrier
    if (!ME) sink = mem[28];
#pragma omp barrier
    if (ME) UNLOCK(win);
  }
}

int main(int argc, char **argv) {
  int given, size;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(WORLD, &rank);
  MPI_Comm_size(WORLD, &size);
  other = !rank;
  mtx_init(&m1, mtx_plain), mtx_init(&m2, mtx_plain);
  pthread_barrier_init(&two, 0, 2);
  MPI_Comm_dup(WORLD, &own);
  MPI_Win_allocate(SIZE * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &mem, &win);
  MPI_Win_allocate(SIZE * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &flags, &flag_win);
  for (int i = 0; i < SIZE; i++) mem[i] = flags[i] = 0;
  void (*const cases[])(void) = {
      case1, case2, case3, case4, case5, case6, case7, case8, case9, case10, case11, case12, case13, case14,
      case15, case16, case17, case18, case19, case20, case21, case22, case23, case24, case25};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    nover = 0;
    MPI_Barrier(WORLD);
    if (!only || only == i + 1) cases[i]();
    MPI_Barrier(WORLD);
  }
  MPI_Win_free(&flag_win);
  MPI_Win_free(&win);
  MPI_Comm_free(&own);
  mtx_destroy(&m1), mtx_destroy(&m2), pthread_barrier_destroy(&two);
  MPI_Finalize();
}
