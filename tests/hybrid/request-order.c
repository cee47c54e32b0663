// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads complete, free or start one request, with and without an order of the two.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define PAUSE usleep(2000) // the other thread is mostly quicker, and nothing says that it is
#define REGION _Pragma("omp parallel num_threads(2)")
#define ME omp_get_thread_num()
static sem_t post;

static void with_thread(void *(*run)(void *), void (*meanwhile)(void), void (*behind)(void)) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  if (meanwhile) meanwhile();
  pthread_join(thread, NULL);
  if (behind) behind();
}

static MPI_Request q[2], sent[2];
static int in[2], out;
static void begin(int i) {
  MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &q[i]);
  MPI_Isend(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF, &sent[i]);
}
static void end(int i) {
  MPI_Wait(&sent[i], MPI_STATUS_IGNORE);
  MPI_Wait(&q[i], MPI_STATUS_IGNORE);
}

// case 1: thread.request
static void case1(void) { // two waits
  begin(0);
  REGION {
    if (ME) PAUSE;
    MPI_Wait(&q[0], MPI_STATUS_IGNORE); // @1
  }
  end(0);
}

// case 2: ok
static void case2(void) { // a barrier of the team between them
  begin(0);
  REGION {
    if (ME == 0) MPI_Wait(&q[0], MPI_STATUS_IGNORE);
#pragma omp barrier
    if (ME == 1) MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  }
  end(0);
}

// case 3: ok
static void case3(void) { // they take turns
  begin(0);
  REGION {
    int flag = 0;
    if (ME) PAUSE;
    while (!flag) {
#pragma omp critical
      MPI_Test(&q[0], &flag, MPI_STATUS_IGNORE);
    }
  }
  end(0);
}

// case 4: thread.request
static void case4(void) { // a wait and a test
  begin(0);
  REGION {
    int flag;
    if (ME == 0) MPI_Wait(&q[0], MPI_STATUS_IGNORE);       // @4
    else PAUSE, MPI_Test(&q[0], &flag, MPI_STATUS_IGNORE); // @4
  }
  end(0);
}

// case 5: thread.request
static void case5(void) { // a copy of the handle
  MPI_Recv_init(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &q[0]);
  MPI_Request copy = q[0];
  MPI_Start(&q[0]);
  MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  REGION {
    if (ME == 0) MPI_Wait(&q[0], MPI_STATUS_IGNORE); // @5
    else PAUSE, MPI_Wait(&copy, MPI_STATUS_IGNORE);  // @5
  }
  MPI_Request_free(&q[0]);
}

// case 6: thread.request
static void case6(void) { // started by one thread, and completed by another one
  MPI_Recv_init(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &q[0]);
  REGION {
    if (ME == 0) MPI_Start(&q[0]);                  // @6
    else PAUSE, MPI_Wait(&q[0], MPI_STATUS_IGNORE); // @6
    if (ME == 0) MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  }
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Request_free(&q[0]);
}

// case 7: ok
static void case7(void) { // the same, and a barrier of the team
  MPI_Recv_init(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &q[0]);
  REGION {
    if (ME == 0) MPI_Start(&q[0]), MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
#pragma omp barrier
    if (ME == 1) MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&q[0]);
}

// case 8: thread.request
static void case8(void) { // freed by one thread
  MPI_Recv_init(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &q[0]);
  MPI_Start(&q[0]);
  MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  REGION {
    if (ME == 0) MPI_Wait(&q[0], MPI_STATUS_IGNORE); // @8
    else PAUSE, PAUSE, MPI_Request_free(&q[0]);      // @8
  }
}

// case 9: thread.request
static void case9(void) { // an array of both threads
  begin(0), begin(1);
  REGION {
    if (ME) PAUSE;
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE); // @9
  }
  end(0), end(1);
}

// case 10: ok
static void case10(void) { // each thread its part of the array
  begin(0), begin(1);
  REGION { MPI_Waitall(1, &q[ME], MPI_STATUSES_IGNORE); }
  end(0), end(1);
}

// case 11: thread.request
static void case11(void) { // one of them, by each thread
  begin(0), begin(1);
  REGION {
    int i;
    if (ME) PAUSE;
    MPI_Waitany(2, q, &i, MPI_STATUS_IGNORE); // @11
  }
  end(0), end(1);
}

// case 12: ok
static void case12(void) { // one of them, by each thread in turn
  begin(0), begin(1);
  REGION {
    int i;
#pragma omp critical
    MPI_Waitany(2, q, &i, MPI_STATUS_IGNORE);
  }
  end(0), end(1);
}

// case 13: ok
static void case13(void) { // a dependence of the tasks
  begin(0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(inout : q[0])
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
#pragma omp task depend(inout : q[0])
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  }
  end(0);
}

// case 14: thread.request
static void case14(void) { // two tasks
  begin(0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    MPI_Wait(&q[0], MPI_STATUS_IGNORE); // @14
#pragma omp task
    PAUSE, MPI_Wait(&q[0], MPI_STATUS_IGNORE); // @14
  }
  end(0);
}

// case 15: ok
static void case15(void) { // a variable of its own in each task
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 8; i++)
#pragma omp task
  {
    MPI_Request mine = MPI_REQUEST_NULL;
    int x;
    if (i % 2) MPI_Irecv(&x, 1, MPI_INT, 0, i, MPI_COMM_SELF, &mine), MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    MPI_Wait(&mine, MPI_STATUS_IGNORE);
  }
}

// case 16: ok
static void case16(void) { // its status, by another thread
  begin(0);
  REGION {
    int flag;
    if (ME == 0) MPI_Request_get_status(q[0], &flag, MPI_STATUS_IGNORE);
    else PAUSE, MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  }
  end(0);
}

// case 17: thread.request
static void *run17(void *x) {
  MPI_Wait(&q[0], MPI_STATUS_IGNORE); // @17
  return x;
}
static void this17(void) { PAUSE, MPI_Wait(&q[0], MPI_STATUS_IGNORE); } // @17
static void case17(void) {                                              // a thread of pthreads
  begin(0);
  with_thread(run17, this17, NULL);
  end(0);
}

// case 18: ok
static void *run18(void *x) {
  MPI_Irecv(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &q[0]);
  sem_post(&post);
  return x;
}
static void this18(void) {
  sem_wait(&post);
  MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
}
static void case18(void) { // posted by one thread, completed by the next one
  with_thread(run18, this18, NULL);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  sem_init(&post, 0, 0);
  case1();
  case2();
  case3();
  case4();
  case5();
  case6();
  case7();
  case8();
  case9();
  case10();
  case11();
  case12();
  case13();
  case14();
  case15();
  case16();
  case17();
  case18();
  MPI_Finalize();
  return level < MPI_THREAD_MULTIPLE;
}
