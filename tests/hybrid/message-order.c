// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads receive, probe or send the same messages, with and without an order of the two.
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

static MPI_Request sent[2];
static int out;
static MPI_Status status;
static void begin(int n, int step) {
  for (int i = 0; i < n; i++) MPI_Isend(&out, 1, MPI_INT, 0, i * step, MPI_COMM_SELF, &sent[i]);
}
static void end(int n) { MPI_Waitall(n, sent, MPI_STATUSES_IGNORE); }
#define probe(tag) MPI_Probe(0, tag, MPI_COMM_SELF, &status)
#define receive(tag) MPI_Recv(&x, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE)

// case 1: thread.probe
static void case1(void) { // a probe, and a receive of another thread
  begin(2, 0);
  REGION {
    int x;
    if (ME == 0) {
      probe(MPI_ANY_TAG); // @1
      receive(status.MPI_TAG);
    } else PAUSE, receive(MPI_ANY_TAG); // @1
  }
  end(2);
}

// case 2: ok
static void case2(void) { // the matched probe, by each thread
  begin(2, 0);
  REGION {
    int x;
    MPI_Message message;
    MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
  end(2);
}

// case 3: ok
static void case3(void) { // each thread its tag
  begin(2, 1);
  REGION {
    int x;
    probe(ME);
    receive(ME);
  }
  end(2);
}

// case 4: ok
static void case4(void) { // a lock around probe and receive
  begin(2, 0);
  REGION {
    int x;
#pragma omp critical
    {
      probe(0);
      receive(0);
    }
  }
  end(2);
}

// case 5: thread.probe
static void case5(void) { // both threads probe and receive
  begin(2, 0);
  REGION {
    int x;
    if (ME) PAUSE;
    probe(0);   // @5
    receive(0); // @5
  }
  end(2);
}

// case 6: thread.probe
static void case6(void) { // a lock around each
  begin(2, 0);
  REGION {
    int x;
    if (ME) PAUSE;
#pragma omp critical
    probe(0); // @6
#pragma omp critical
    receive(0); // @6
  }
  end(2);
}

// case 7: ok
static void case7(void) { // each thread its communicator
  static MPI_Comm own[2];
  MPI_Request r[2];
  for (int i = 0; i < 2; i++) MPI_Comm_dup(MPI_COMM_SELF, &own[i]), MPI_Isend(&out, 1, MPI_INT, 0, 0, own[i], &r[i]);
  REGION {
    int x;
    MPI_Probe(0, 0, own[ME], MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, own[ME], MPI_STATUS_IGNORE);
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++) MPI_Comm_free(&own[i]);
}

// case 8: ok
static void case8(void) { // a barrier of the team between them
  begin(2, 0);
  REGION {
    int x;
    if (ME == 0) {
      probe(0);
      receive(0);
    }
#pragma omp barrier
    if (ME == 1) receive(0);
  }
  end(2);
}

// case 9: thread.probe
static void case9(void) { // nonblocking probe
  begin(2, 0);
  REGION {
    int x, flag = 0;
    if (ME == 0) {
      while (!flag) MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); // @9
      receive(0);
    } else PAUSE, receive(0); // @9
  }
  end(2);
}

// case 10: message.race
static void case10(void) { // two places receive the same messages
  begin(2, 0);
  REGION {
    int x;
    if (ME == 0) receive(0); // @10
    else PAUSE, receive(0);  // @10
  }
  end(2);
}

// case 11: message.race
static void case11(void) { // a lock does not say which is first
  begin(2, 0);
  REGION {
    int x;
    if (ME == 0) {
#pragma omp critical
      receive(0); // @11
    } else {
      PAUSE;
#pragma omp critical
      receive(0); // @11
    }
  }
  end(2);
}

// case 12: ok
static void case12(void) { // two tags
  begin(2, 1);
  REGION {
    int x;
    if (ME == 0) receive(0);
    else receive(1);
  }
  end(2);
}

// case 13: ok
static void case13(void) { // a pool of equal threads
  begin(2, 0);
  REGION {
    int x;
    receive(0);
  }
  end(2);
}

// case 14: ok
static void case14(void) { // a barrier of the team between the receives
  begin(2, 0);
  REGION {
    int x;
    if (ME == 0) receive(0);
#pragma omp barrier
    if (ME == 1) receive(0);
  }
  end(2);
}

// case 15: message.race
static void case15(void) { // two places send on one channel
  int x[2];
  MPI_Request r[2];
  for (int i = 0; i < 2; i++) MPI_Irecv(&x[i], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[i]);
  REGION {
    if (ME == 0) MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF); // @15
    else PAUSE, MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);  // @15
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

// case 16: ok
static void case16(void) { // two places send, a barrier of the team between them
  int x[2];
  MPI_Request r[2];
  for (int i = 0; i < 2; i++) MPI_Irecv(&x[i], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[i]);
  REGION {
    if (ME == 0) MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
#pragma omp barrier
    if (ME == 1) MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

// case 17: message.race
static void case17(void) { // two tasks receive
  begin(2, 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    int x[2];
#pragma omp task shared(x)
    MPI_Recv(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); // @17
#pragma omp task shared(x)
    MPI_Recv(&x[1], 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); // @17
#pragma omp taskwait
  }
  end(2);
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
  MPI_Finalize();
  return level < MPI_THREAD_MULTIPLE;
}
