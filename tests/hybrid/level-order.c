// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_THREAD_SERIALIZED: calls of two threads that may be at the same time, or may not. In this run they are not.
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

static int rank, size;

// case 1: thread.level
static void case1(void) { // two threads, not at the same time in this run
  REGION {
    if (ME == 0) MPI_Comm_rank(WORLD, &rank); // @1
    else PAUSE, MPI_Comm_size(WORLD, &size);  // @1
  }
}

// case 2: ok
static void case2(void) { // a barrier of the team between them
  REGION {
    if (ME == 0) MPI_Comm_rank(WORLD, &rank);
#pragma omp barrier
    if (ME == 1) MPI_Comm_size(WORLD, &size);
  }
}

// case 3: ok
static void case3(void) { // one critical section
  REGION {
#pragma omp critical
    MPI_Comm_rank(WORLD, &rank);
  }
}

// case 4: thread.level
static void case4(void) { // two locks
  REGION {
    if (ME == 0) {
#pragma omp critical(one)
      MPI_Comm_rank(WORLD, &rank); // @4
    } else {
      PAUSE;
#pragma omp critical(two)
      MPI_Comm_size(WORLD, &size); // @4
    }
  }
}

// case 5: thread.level
static void case5(void) { // a critical section on one side only
  REGION {
    if (ME == 0) {
#pragma omp critical
      MPI_Comm_rank(WORLD, &rank);             // @5
    } else PAUSE, MPI_Comm_size(WORLD, &size); // @5
  }
}

// case 6: ok
static pthread_mutex_t mutex6 = PTHREAD_MUTEX_INITIALIZER;
static void *run6(void *x) {
  pthread_mutex_lock(&mutex6);
  MPI_Comm_rank(WORLD, &rank);
  pthread_mutex_unlock(&mutex6);
  return x;
}
static void this6(void) {
  pthread_mutex_lock(&mutex6);
  MPI_Comm_size(WORLD, &size);
  pthread_mutex_unlock(&mutex6);
}
static void case6(void) { // a mutex
  with_thread(run6, this6, NULL);
}

// case 7: thread.level
static pthread_mutex_t mutexes7[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *run7(void *x) {
  pthread_mutex_lock(&mutexes7[0]);
  MPI_Comm_rank(WORLD, &rank); // @7
  pthread_mutex_unlock(&mutexes7[0]);
  return x;
}
static void this7(void) {
  PAUSE;
  pthread_mutex_lock(&mutexes7[1]);
  MPI_Comm_size(WORLD, &size); // @7
  pthread_mutex_unlock(&mutexes7[1]);
}
static void case7(void) { // two mutexes
  with_thread(run7, this7, NULL);
}

// case 8: ok
static void case8(void) { // single, with its barrier
  REGION {
#pragma omp single
    MPI_Comm_rank(WORLD, &rank);
#pragma omp single
    MPI_Comm_size(WORLD, &size);
  }
}

// case 9: thread.level
static void case9(void) { // two tasks
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    MPI_Comm_rank(WORLD, &rank); // @9
#pragma omp task
    MPI_Comm_size(WORLD, &size); // @9
  }
}

// case 10: ok
static void case10(void) { // tasks with a dependence
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x)
    MPI_Comm_rank(WORLD, &rank);
#pragma omp task depend(in : x)
    MPI_Comm_size(WORLD, &size);
  }
  (void)x;
}

// case 11: ok
static void case11(void) { // a lock of OpenMP
  omp_lock_t lock;
  omp_init_lock(&lock);
  REGION {
    omp_set_lock(&lock);
    MPI_Comm_rank(WORLD, &rank);
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
}

// case 12: thread.level
static void case12(void) { // a volatile flag
  static volatile int flag;
  REGION {
    if (ME == 0) {
      MPI_Comm_rank(WORLD, &rank); // @12
      flag = 1;
    } else {
      while (!flag) PAUSE;
      MPI_Comm_size(WORLD, &size); // @12
    }
  }
}

// case 13: ok
static void case13(void) { // functions that any thread may call
  int flag;
  REGION {
    if (ME == 0) MPI_Comm_rank(WORLD, &rank);
    else MPI_Initialized(&flag);
  }
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
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
  MPI_Finalize();
  return level < MPI_THREAD_SERIALIZED;
}
