// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs of OpenMP, POSIX and C11 that the other tables do not have: each wrong case has a right twin behind it.
// LUCK says which part of a region comes first; the second one waits for a plain flag, which orders nothing.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#define REGION _Pragma("omp parallel num_threads(2)")
#define ME omp_get_thread_num()
#define SELF MPI_COMM_SELF
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int luck;
static volatile int nover, sink; // nover: parts of a region that are over
#define FIRST while (luck && !nover) sched_yield()
#define SECOND while (!luck && !nover) sched_yield()
#define OVER nover = 1
static int buf[64], out[64];
static MPI_Request sent[2], q;
static MPI_Comm dups[2];
static void give(int n) {
  for (int i = 0; i < n; i++) MPI_Isend(out, 64, MPI_INT, 0, 1, SELF, &sent[i]);
}
static void done(int n) { MPI_Waitall(n, sent, MPI_STATUSES_IGNORE); }
#define TAKE MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE)
#define SHARE(comm) MPI_Allreduce(MPI_IN_PLACE, (int[1]){0}, 1, MPI_INT, MPI_SUM, comm)
// Both parts have begun, so one thread does not run both. It orders nothing.
static atomic_int met[32];
static void meet(int n) {
  atomic_fetch_add_explicit(&met[n], 1, memory_order_relaxed);
  while (atomic_load_explicit(&met[n], memory_order_relaxed) < 2) sched_yield();
}

// case 1: thread.buffer
static void case1(void) { // inoutset orders the two tasks behind others only
  int d;
  give(1);
  REGION {
#pragma omp single
    {
#pragma omp task depend(inoutset : d)
      TAKE; // @1
#pragma omp task depend(inoutset : d)
      sink = buf[1]; // @1
    }
  }
  done(1);
}
// case 2: ok
static void case2(void) { // mutexinoutset keeps them apart
  int d;
  give(1);
  REGION {
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : d)
      TAKE;
#pragma omp task depend(mutexinoutset : d)
      sink = buf[2];
    }
  }
  done(1);
}
// case 3: thread.collective
static void case3(void) { // the iterations of a loop share a communicator
  REGION {
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < 2; i++) SHARE(WORLD); // @3
  }
}
// case 4: ok
static void case4(void) { // ... have one each
  REGION {
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < 2; i++) SHARE(dups[i]);
  }
}
// case 5: thread.buffer
static void case5(void) { // a ticket by atomic capture is relaxed
  int ticket = 0;
  give(1);
  REGION {
    int mine;
    if (ME) {
      TAKE; // @5
#pragma omp atomic capture
      mine = ticket++;
    } else {
      do {
#pragma omp atomic read
        mine = ticket;
        sched_yield();
      } while (!mine);
      sink = buf[3]; // @5
    }
  }
  done(1);
}
// case 6: ok
static void case6(void) { // ... acq_rel
  int ticket = 0;
  give(1);
  REGION {
    int mine;
    if (ME) {
      TAKE;
#pragma omp atomic capture acq_rel
      mine = ticket++;
    } else {
      do {
#pragma omp atomic read acquire
        mine = ticket;
        sched_yield();
      } while (!mine);
      sink = buf[4];
    }
  }
  done(1);
}
// case 7: thread.collective
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void lock_by_trying(void) {
  while (pthread_mutex_trylock(&m)) sched_yield();
}
static void case7(void) { // two locks, of POSIX and of OpenMP
  REGION {
    if (ME) { FIRST; pthread_mutex_lock(&m); SHARE(WORLD); pthread_mutex_unlock(&m); OVER; } // @7
    else {
      SECOND;
#pragma omp critical
      SHARE(WORLD); // @7
      OVER;
    }
  }
}
// case 8: ok
static void case8(void) { // a turn that a lock guards, which is tried for
  static int turn;
  turn = 0;
  REGION {
    for (int is_done = 0; !is_done; sched_yield()) {
      lock_by_trying();
      if (turn == ME) { SHARE(WORLD); turn++; is_done = 1; }
      pthread_mutex_unlock(&m);
    }
  }
}
// case 9: thread.buffer
static void case9(void) { // a pipe tells before the receive is complete
  int ends[2], byte = 0;
  if (pipe(ends)) MPI_Abort(WORLD, 1);
  give(1);
  REGION {
    if (ME) {
      TAKE; // @9
      OVER;
    } else {
      sink = (int)write(ends[1], &byte, 1);
      while (!nover) sched_yield();
      sink = (int)read(ends[0], &byte, 1);
      sink = buf[5]; // @9
    }
  }
  done(1);
  close(ends[0]), close(ends[1]);
}
// case 10: ok
static void case10(void) { // ... behind it
  int ends[2];
  if (pipe(ends)) MPI_Abort(WORLD, 1);
  give(1);
  REGION {
    char byte = 0;
    if (ME) {
      TAKE;
      sink = (int)write(ends[1], &byte, 1);
    } else {
      sink = (int)read(ends[0], &byte, 1);
      sink = buf[6];
    }
  }
  done(1);
  close(ends[0]), close(ends[1]);
}
// case 11: thread.collective
static int with_iallreduce(void *comm) {
  MPI_Request r;
  int x = 0;
  MPI_Iallreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, *(MPI_Comm *)comm, &r); // @11
  return MPI_Wait(&r, IGNORE);
}
static void case11(void) { // nonblocking collectives of two threads of C11
  thrd_t t[2];
  MPI_Comm world = WORLD;
  for (int i = 0; i < 2; i++) thrd_create(&t[i], with_iallreduce, &world);
  for (int i = 0; i < 2; i++) thrd_join(t[i], NULL);
}
// case 12: ok
static void case12(void) { // on two communicators
  thrd_t t[2];
  for (int i = 0; i < 2; i++) thrd_create(&t[i], with_iallreduce, &dups[i]);
  for (int i = 0; i < 2; i++) thrd_join(t[i], NULL);
}
// case 13: thread.request
static atomic_int flag;
static void case13(void) { // a relaxed flag between two calls that name a request, without fences
  MPI_Recv_init(buf, 64, MPI_INT, 0, 1, SELF, &q);
  give(1);
  MPI_Start(&q);
  REGION {
    int n, at;
    if (ME) {
      for (n = 0; n <= 0;) MPI_Testsome(1, &q, &n, &at, MPI_STATUSES_IGNORE); // @13
      atomic_store_explicit(&flag, 13, memory_order_relaxed);
    } else {
      while (atomic_load_explicit(&flag, memory_order_relaxed) != 13) sched_yield();
      MPI_Wait(&q, IGNORE); // @13
    }
  }
  done(1);
  MPI_Request_free(&q);
}
// case 14: ok
static void case14(void) { // ... with fences
  MPI_Recv_init(buf, 64, MPI_INT, 0, 1, SELF, &q);
  give(1);
  MPI_Start(&q);
  REGION {
    int n, at;
    if (ME) {
      for (n = 0; n <= 0;) MPI_Testsome(1, &q, &n, &at, MPI_STATUSES_IGNORE);
      atomic_thread_fence(memory_order_release);
      atomic_store_explicit(&flag, 14, memory_order_relaxed);
    } else {
      while (atomic_load_explicit(&flag, memory_order_relaxed) != 14) sched_yield();
      atomic_thread_fence(memory_order_acquire);
      MPI_Wait(&q, IGNORE);
    }
  }
  done(1);
  MPI_Request_free(&q);
}
// case 15: thread.probe
static void probe(int tag) {
  int x[64];
  MPI_Status s;
  MPI_Probe(0, tag, SELF, &s); // @15
  MPI_Recv(x, 64, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, SELF, IGNORE); // @15
}
static void case15(void) { // two tasks of a taskloop probe and receive
  give(2);
  REGION {
#pragma omp single
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 2; i++) probe(1);
  }
  done(2);
}
// case 16: ok
static void case16(void) { // ... matched probes
  give(2);
  REGION {
#pragma omp single
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 2; i++) {
      int x[64];
      MPI_Message message;
      MPI_Mprobe(0, 1, SELF, &message, IGNORE);
      MPI_Mrecv(x, 64, MPI_INT, &message, IGNORE);
    }
  }
  done(2);
}
// case 17: thread.buffer
static void case17(void) { // a task that is over before the taskgroup of others ends is none of that group
  give(1);
  REGION {
#pragma omp single
    {
#pragma omp task
      { meet(17); TAKE; } // @17
#pragma omp taskgroup
      {
#pragma omp task
        { meet(17); sink = 1; }
      }
      sink = buf[7]; // @17
    }
  }
  done(1);
}
// case 18: ok
static void case18(void) {
  give(1);
  REGION {
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task
#pragma omp task // a descendant
        TAKE;
      }
      sink = buf[8];
    }
  }
  done(1);
}
// case 19: thread.buffer
static void case19(void) { // taskwait waits for children only
  give(1);
  REGION {
#pragma omp single
    {
#pragma omp task
      {
        meet(19);
#pragma omp task
        { TAKE; OVER; } // @19
      }
      meet(19);
#pragma omp taskwait
      if (!luck)
        while (!nover) sched_yield();
      sink = buf[9]; // @19
    }
  }
  done(1);
}
// case 20: ok
static void case20(void) { // ... which wait for theirs
  give(1);
  REGION {
#pragma omp single
    {
#pragma omp task
      {
#pragma omp task
        TAKE;
#pragma omp taskwait
      }
#pragma omp taskwait
      sink = buf[10];
    }
  }
  done(1);
}

int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  for (int i = 0; i < 2; i++) MPI_Comm_dup(WORLD, &dups[i]);
  void (*const cases[])(void) = {case1,  case2,  case3,  case4,  case5,  case6,  case7,  case8,  case9,  case10,
                                 case11, case12, case13, case14, case15, case16, case17, case18, case19, case20};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    nover = 0;
    MPI_Barrier(WORLD);
    if (!only || only == i + 1) cases[i]();
  }
  for (int i = 0; i < 2; i++) MPI_Comm_free(&dups[i]);
  MPI_Finalize();
}
