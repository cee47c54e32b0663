// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread puts, and another one takes part in the message or barrier that the other rank waits for. Exclusive locks
// elsewhere in the program do not hide what is wrong. LUCK says who comes first.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
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
#define GET(at) MPI_Get(&got, 1, MPI_INT, 1, at, 1, MPI_INT, win)
#define FLUSH MPI_Win_flush(1, win)
static int *mem, one = 1, got;
static MPI_Win win;
static MPI_Comm own;
static void tell(int tag) { MPI_Send(&one, 1, MPI_INT, other, tag, WORLD); }
static void hear(int tag) { int x; MPI_Recv(&x, 1, MPI_INT, other, tag, WORLD, IGNORE); }
#define ALL MPI_Win_lock_all(0, win)
#define NONE MPI_Win_unlock_all(win)
#define LOCK(k) MPI_Win_lock(k, 1, 0, win)
#define UNLOCK MPI_Win_unlock(1, win)
#define X MPI_LOCK_EXCLUSIVE
#define S MPI_LOCK_SHARED

// case 1: rma.race
static void case1(void) { // one thread puts and flushes, another one tells: nothing orders the two
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { FIRST; PUT(1); FLUSH; } // @1
      else { SECOND; tell(1); }
    }
  } else { hear(1); sink = mem[1]; } // @1
  MPI_Barrier(WORLD);
  NONE;
}
// case 2: ok
static void case2(void) { // a barrier of the team between
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { PUT(2); FLUSH; }
#pragma omp barrier
      if (!ME) tell(2);
    }
  } else { hear(2); MPI_Win_sync(win); sink = mem[2]; }
  MPI_Barrier(WORLD);
  NONE;
}
// case 3: rma.race
static void case3(void) { // one thread puts, another one takes part in the barrier
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { FIRST; LOCK(S); PUT(3); UNLOCK; } // @3
      else { SECOND; MPI_Barrier(own); }
    }
  } else { MPI_Barrier(own); LOCK(S); sink = mem[3]; UNLOCK; } // @3
  MPI_Barrier(WORLD);
}
// case 4: ok
static void case4(void) { // a task dependence between the epoch and the barrier
  static int d;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
#pragma omp single
      {
#pragma omp task depend(out: d)
        { LOCK(S); PUT(4); UNLOCK; }
#pragma omp task depend(in: d)
        MPI_Barrier(own);
      }
    }
  } else { MPI_Barrier(own); LOCK(S); sink = mem[4]; UNLOCK; }
  MPI_Barrier(WORLD);
}
// case 5: rma.race
static void case5(void) { // exclusive lock at the origin, the target loads without a lock in another thread
  MPI_Barrier(WORLD);
  if (rank == 0) { LOCK(X); PUT(5); UNLOCK; tell(5); } // @5
  else {
    REGION {
      if (ME) { FIRST; hear(5); }
      else { SECOND; sink = mem[5]; } // @5
    }
  }
  MPI_Barrier(WORLD);
}
// case 6: ok
static void case6(void) { // ... ordered by a semaphore behind the message
  sem_t s;
  sem_init(&s, 0, 0);
  MPI_Barrier(WORLD);
  if (rank == 0) { LOCK(X); PUT(6); UNLOCK; tell(6); }
  else {
    REGION {
      if (ME) { hear(6); sem_post(&s); }
      else { sem_wait(&s); LOCK(S); sink = mem[6]; UNLOCK; }
    }
  }
  MPI_Barrier(WORLD);
  sem_destroy(&s);
}
// case 7: rma.race
static void case7(void) { // the flush of a thread that is not ordered behind the put
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { FIRST; PUT(7); } // @7
      else { SECOND; FLUSH; tell(7); }
    }
  } else { hear(7); MPI_Win_sync(win); sink = mem[7]; } // @7
  MPI_Barrier(WORLD);
  NONE;
}
// case 8: ok
static void case8(void) { // flush of another thread behind a join
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION { if (ME) PUT(8); }
    FLUSH;
    tell(8);
  } else { hear(8); MPI_Win_sync(win); sink = mem[8]; }
  MPI_Barrier(WORLD);
  NONE;
}
// case 9: rma.race
static void case9(void) { // two threads of the target: one hears, the other one stores under its own lock
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) { PUT(9); FLUSH; tell(9); } // @9
  else {
    REGION {
      if (ME) { FIRST; hear(9); pthread_mutex_lock(&m); sink = 1; pthread_mutex_unlock(&m); }
      else { SECOND; pthread_mutex_lock(&m); mem[9] = 4; pthread_mutex_unlock(&m); } // @9
    }
  }
  MPI_Barrier(WORLD);
  NONE;
}
// case 10: rma.race
static void case10(void) { // threads of two origins, shared locks, one place; the barrier is another thread's
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { FIRST; LOCK(S); PUT(10); UNLOCK; } // @10
      else { SECOND; MPI_Barrier(own); }
    }
  } else { MPI_Barrier(own); LOCK(S); GET(10); UNLOCK; } // @10
  MPI_Barrier(WORLD);
}
// case 11: ok
static void case11(void) { // exclusive locks
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { LOCK(X); PUT(11); UNLOCK; }
      else MPI_Barrier(own);
    }
  } else { MPI_Barrier(own); LOCK(X); GET(11); UNLOCK; }
  MPI_Barrier(WORLD);
}
// case 12: rma.race
static void case12(void) { // fence of one thread, the put of another one is not ordered before it
  MPI_Win_fence(0, win);
  if (rank == 0) {
    static atomic_int did;
    REGION {
      if (ME) { FIRST; PUT(14); atomic_store_explicit(&did, 1, memory_order_relaxed); } // @12
      else {
        while (!atomic_load_explicit(&did, memory_order_relaxed)) sched_yield();
        MPI_Win_fence(0, win);
      }
    }
  } else { MPI_Win_fence(0, win); sink = mem[14]; } // @12
  MPI_Win_fence(0, win);
}
// case 13: ok
static void case13(void) { // the same with release and acquire
  MPI_Win_fence(0, win);
  if (rank == 0) {
    static atomic_int did;
    REGION {
      if (ME) { PUT(15); atomic_store_explicit(&did, 1, memory_order_release); }
      else { while (!atomic_load_explicit(&did, memory_order_acquire)) sched_yield(); MPI_Win_fence(0, win); }
    }
  } else { MPI_Win_fence(0, win); sink = mem[15]; }
  MPI_Win_fence(0, win);
}
// case 14: rma.race
static void case14(void) { // a volatile flag for an order
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    static volatile int did;
    REGION {
      if (ME) { PUT(16); FLUSH; did = 1; } // @14
      else { while (!did) sched_yield(); tell(16); }
    }
  } else { hear(16); MPI_Win_sync(win); sink = mem[16]; } // @14
  MPI_Barrier(WORLD);
  NONE;
}
// case 15: rma.race
static void case15(void) { // two threads of the target store and a remote put, all locks held by the other one
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) { hear(25); PUT(25); FLUSH; } // @15
  else {
    REGION {
      if (ME) { FIRST; mem[25] = 1; } // @15
      else { SECOND; tell(25); }
    }
  }
  MPI_Barrier(WORLD);
  NONE;
}
// case 16: ok
static void case16(void) { // with a sync and a barrier of the team before the message
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) { hear(26); PUT(26); FLUSH; }
  else {
    REGION {
      if (ME) { mem[26] = 1; MPI_Win_sync(win); }
#pragma omp barrier
      if (!ME) tell(26);
    }
  }
  MPI_Barrier(WORLD);
  NONE;
}
// case 17: rma.race
static void case17(void) { // pthread barrier of POSIX too early
  pthread_barrier_t b;
  pthread_barrier_init(&b, 0, 2);
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { PUT(27); pthread_barrier_wait(&b); FIRST; FLUSH; } // @17
      else { pthread_barrier_wait(&b); SECOND; tell(27); }
    }
  } else { hear(27); MPI_Win_sync(win); sink = mem[27]; } // @17
  MPI_Barrier(WORLD);
  NONE;
  pthread_barrier_destroy(&b);
}
// case 18: ok
static void case18(void) {
  pthread_barrier_t b;
  pthread_barrier_init(&b, 0, 2);
  ALL;
  MPI_Barrier(WORLD);
  if (rank == 0) {
    REGION {
      if (ME) { PUT(28); FLUSH; pthread_barrier_wait(&b); }
      else { pthread_barrier_wait(&b); tell(28); }
    }
  } else { hear(28); MPI_Win_sync(win); sink = mem[28]; }
  MPI_Barrier(WORLD);
  NONE;
  pthread_barrier_destroy(&b);
}
// case 19: ok
static void case19(void) { // flush_all by a thread behind a taskwait; the other rank hears in a task
  ALL;
  MPI_Barrier(WORLD);
  REGION {
#pragma omp single
    {
      if (rank == 0) {
#pragma omp task
        PUT(30);
#pragma omp taskwait
        MPI_Win_flush_all(win);
        tell(30);
      } else {
        static int d;
#pragma omp task depend(out: d)
        { hear(30); MPI_Win_sync(win); }
#pragma omp task depend(in: d)
        sink = mem[30];
      }
    }
  }
  MPI_Barrier(WORLD);
  NONE;
}
// case 20: rma.race
static void case20(void) { // ... no dependence at the target
  ALL;
  MPI_Barrier(WORLD);
  REGION {
#pragma omp single
    {
      if (rank == 0) {
        PUT(31); // @20
        MPI_Win_flush_all(win);
        tell(31);
      } else {
#pragma omp task
        { FIRST; hear(31); MPI_Win_sync(win); }
#pragma omp task
        { SECOND; sink = mem[31]; } // @20
      }
    }
  }
  MPI_Barrier(WORLD);
  NONE;
}

int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(WORLD, &rank);
  other = !rank;
  MPI_Comm_dup(WORLD, &own);
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &mem, &win);
  void (*const cases[])(void) = {
      case1, case2, case3, case4, case5, case6, case7, case8, case9, case10, case11, case12, case13, case14,
      case15, case16, case17, case18, case19, case20};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) cases[i]();
  MPI_Win_free(&win);
  MPI_Comm_free(&own);
  MPI_Finalize();
}
