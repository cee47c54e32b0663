// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided communication by several threads, at the origin and at the target: which calls complete an operation, what
// tells the other rank, and what tells the thread that loads or stores. The last cases take locks, which order no other
// thread. The second one of two threads waits for a plain flag, which orders nothing.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#define REGION _Pragma("omp parallel num_threads(2)")
#define ME omp_get_thread_num()
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define PUT(at) MPI_Put(&one, 1, MPI_INT, 1, at, 1, MPI_INT, win)
#define FLUSH MPI_Win_flush(1, win)
static int luck, rank, other;
static volatile int nover;
#define FIRST while (luck && !nover) sched_yield()
#define SECOND while (!luck && !nover) sched_yield()
#define OVER nover = 1
static int *mem, one = 1;
static volatile int sink;
static MPI_Win win;
static void tell(int tag) { MPI_Send(&one, 1, MPI_INT, other, tag, WORLD); }
static void hear(int tag) { int x; MPI_Recv(&x, 1, MPI_INT, other, tag, WORLD, IGNORE); }

// case 1: ok
static void case1(void) { // the store is behind a barrier of the team
  MPI_Win_fence(0, win);
  if (rank == 0) { PUT(1); MPI_Win_fence(0, win); }
  else {
    REGION {
      if (!ME) MPI_Win_fence(0, win);
#pragma omp barrier
      if (ME) mem[1] = 3;
    }
  }
  MPI_Win_fence(0, win);
}
// case 2: ok
static void case2(void) { // each thread has its lock, and puts to its own place; joined, then told
  MPI_Barrier(WORLD);
  if (rank == 0) {
    MPI_Win_lock_all(0, win);
    REGION { PUT(2 + ME); FLUSH; }
    MPI_Win_unlock_all(win);
    tell(3);
  } else {
    hear(3);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    sink = mem[2] + mem[3];
    MPI_Win_unlock(1, win);
  }
}
// case 3: rma.race
static void case3(void) { // two threads of one origin put to the same place
  MPI_Barrier(WORLD);
  if (rank == 0) {
    MPI_Win_lock_all(0, win);
    REGION {
      if (ME) { FIRST; PUT(4); FLUSH; OVER; } // @3
      else { SECOND; PUT(4); FLUSH; OVER; } // @3
    }
    MPI_Win_unlock_all(win);
  }
  MPI_Barrier(WORLD);
}
// case 4: ok
static void case4(void) { // ... one behind the other, by a semaphore behind the flush
  sem_t s;
  sem_init(&s, 0, 0);
  MPI_Barrier(WORLD);
  if (rank == 0) {
    MPI_Win_lock_all(0, win);
    REGION {
      if (ME) { PUT(5); FLUSH; sem_post(&s); }
      else { sem_wait(&s); PUT(5); FLUSH; }
    }
    MPI_Win_unlock_all(win);
  }
  MPI_Barrier(WORLD);
  sem_destroy(&s);
}
// case 5: rma.race
static void case5(void) { // the semaphore is posted before the flush
  sem_t s;
  sem_init(&s, 0, 0);
  MPI_Barrier(WORLD);
  if (rank == 0) {
    MPI_Win_lock_all(0, win);
    REGION {
      if (ME) { PUT(6); sem_post(&s); FLUSH; OVER; } // @5
      else { sem_wait(&s); SECOND; PUT(6); FLUSH; OVER; } // @5
    }
    MPI_Win_unlock_all(win);
  }
  MPI_Barrier(WORLD);
  sem_destroy(&s);
}
// case 6: ok
static void case6(void) { // atomics of MPI by all threads
  MPI_Barrier(WORLD);
  MPI_Win_lock_all(0, win);
  REGION {
    int old;
    for (int i = 0; i < 3; i++) {
      MPI_Fetch_and_op(&one, &old, MPI_INT, other, 7, MPI_SUM, win);
      MPI_Win_flush(other, win);
    }
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(WORLD);
}
// case 7: ok
static void *waiting(void *x) { (void)x; MPI_Win_wait(win); return 0; }
static void case7(void) { // post and wait by two threads that are joined
  MPI_Group all, peer;
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, 1, &other, &peer);
  if (rank == 0) { MPI_Win_start(peer, 0, win); PUT(8); MPI_Win_complete(win); }
  else {
    pthread_t t;
    MPI_Win_post(peer, 0, win);
    pthread_create(&t, 0, waiting, 0);
    pthread_join(t, 0);
    sink = mem[8];
  }
  MPI_Group_free(&all), MPI_Group_free(&peer);
}
// case 8: rma.race
static void case8(void) { // ... and the load is not behind the wait
  MPI_Group all, peer;
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, 1, &other, &peer);
  if (rank == 0) { MPI_Win_start(peer, 0, win); PUT(9); MPI_Win_complete(win); } // @8
  else {
    MPI_Win_post(peer, 0, win);
    REGION {
      if (ME) { FIRST; MPI_Win_wait(win); OVER; }
      else { SECOND; sink = mem[9]; OVER; } // @8
    }
  }
  MPI_Group_free(&all), MPI_Group_free(&peer);
}
// case 9: ok
static void case9(void) { // tasks put, a taskwait, and the flush by their creator
  MPI_Barrier(WORLD);
  if (rank == 0) {
    MPI_Win_lock_all(0, win);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      for (int i = 0; i < 3; i++)
#pragma omp task firstprivate(i)
        PUT(10 + i);
#pragma omp taskwait
      MPI_Win_flush_all(win);
    }
    tell(10);
    MPI_Win_unlock_all(win);
  } else {
    hear(10);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    for (int i = 0; i < 3; i++) sink = mem[10 + i];
    MPI_Win_unlock(1, win);
  }
  MPI_Barrier(WORLD);
}
// case 10: rma.race
static void case10(void) { // no taskwait before the flush
  MPI_Barrier(WORLD);
  if (rank == 0) {
    MPI_Win_lock_all(0, win);
    REGION {
      if (ME) { FIRST; PUT(13); OVER; } // @10
      else { SECOND; FLUSH; tell(11); OVER; }
    }
    MPI_Win_unlock_all(win);
  } else {
    hear(11);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    sink = mem[13]; // @10
    MPI_Win_unlock(1, win);
  }
  MPI_Barrier(WORLD);
}
// case 11: ok
static void case11(void) { // an atomic flag of the target's threads behind the message
  MPI_Barrier(WORLD);
  if (rank == 0) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win); PUT(14); MPI_Win_unlock(1, win); tell(12); }
  else {
    atomic_int told = 0;
    REGION {
      if (ME) { hear(12); MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); MPI_Win_unlock(1, win); atomic_store(&told, 1); }
      else { while (!atomic_load(&told)) sched_yield(); sink = mem[14]; }
    }
  }
  MPI_Barrier(WORLD);
}
// case 12: ok
static void case12(void) { // a spin lock of atomic operations orders the threads of both ranks
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  mem[20] = mem[21] = 0;
  MPI_Win_unlock(rank, win);
  MPI_Barrier(WORLD);
  MPI_Win_lock_all(0, win);
  REGION for (int k = 0; k < 2; k++) {
    int zero = 0, old = 1, x;
    while (old) {
      MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 1, 20, win);
      FLUSH;
      if (old) sched_yield();
    }
    MPI_Get(&x, 1, MPI_INT, 1, 21, 1, MPI_INT, win);
    FLUSH;
    x++;
    MPI_Put(&x, 1, MPI_INT, 1, 21, 1, MPI_INT, win);
    FLUSH;
    MPI_Accumulate(&zero, 1, MPI_INT, 1, 20, 1, MPI_INT, MPI_REPLACE, win);
    FLUSH;
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(WORLD);
}
int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(WORLD, &rank);
  other = 1 - rank;
  MPI_Win_allocate(256, 4, MPI_INFO_NULL, WORLD, &mem, &win);
  void (*const cases[])(void) = {case1, case2, case3, case4,  case5,  case6,
                                 case7, case8, case9, case10, case11, case12};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Win_fence(0, win);
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) {
      if (i == 1) MPI_Win_fence(MPI_MODE_NOSUCCEED, win); // from here on there are no fences
      nover = 0, MPI_Barrier(WORLD), cases[i]();
    }
  MPI_Win_free(&win);
  MPI_Finalize();
}
