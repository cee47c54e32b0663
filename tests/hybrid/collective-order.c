// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads call collectives of one communicator, window or file, with and without an order of the two.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
// Which thread is first must be the same on both ranks: where it is not, the program really fails. So the second one waits
// until the first one's call is over; it looks at a volatile variable, which orders nothing.
static volatile int is_over;
#define FIRST(call) ((void)(call), is_over = 1)
#define PAUSE while (!is_over) usleep(10)
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

static MPI_Comm own[2];
static MPI_Win window;
static MPI_File file;
static int data[1];
#define share(comm) MPI_Bcast((int[1]){0}, 1, MPI_INT, 0, comm)

// case 1: thread.collective
static void case1(void) { // two places
  REGION {
    if (ME == 0) FIRST(MPI_Barrier(WORLD)); // @1
    else {
      PAUSE;
      share(WORLD); // @1
    }
  }
}

// case 2: ok
static void case2(void) { // a barrier of the team between them
  REGION {
    if (ME == 0) MPI_Barrier(WORLD);
#pragma omp barrier
    if (ME == 1) share(WORLD);
  }
}

// case 3: thread.collective
static void case3(void) { // one place
  REGION {
    if (ME) PAUSE;
    MPI_Barrier(WORLD); // @3
    is_over = 1;
  }
}

// case 4: ok
static void case4(void) { // each thread its own communicator
  REGION { MPI_Barrier(own[ME]); }
}

// case 5: thread.collective
static void case5(void) { // a lock does not say which is first
  REGION {
    if (ME) {
      PAUSE;
#pragma omp critical
      MPI_Barrier(WORLD); // @5
    } else {
#pragma omp critical
      share(WORLD); // @5
      is_over = 1;
    }
  }
}

// case 6: ok
static void case6(void) { // barriers that a lock keeps apart
  REGION {
    if (ME) usleep(2000);
#pragma omp critical
    MPI_Barrier(WORLD);
  }
}

// case 7: thread.collective
static void case7(void) { // two tasks, whichever thread they get
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    MPI_Barrier(WORLD); // @7
#pragma omp task
    share(WORLD); // @7
  }
}

// case 8: ok
static void case8(void) { // a dependence of the tasks
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x)
    MPI_Barrier(WORLD);
#pragma omp task depend(in : x)
    share(WORLD);
  }
  (void)x;
}

// case 9: ok
static void case9(void) { // a taskwait between the tasks
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    MPI_Barrier(WORLD);
#pragma omp taskwait
#pragma omp task
    share(WORLD);
  }
}

// case 10: ok
static void case10(void) { // the barrier at the end of a single
  REGION {
#pragma omp single
    MPI_Barrier(WORLD);
#pragma omp single
    share(WORLD);
  }
}

// case 11: thread.collective
static void *run11(void *x) {
  FIRST(MPI_Barrier(WORLD)); // @11
  return x;
}
static void this11(void) {
  PAUSE;
  share(WORLD); // @11
}
static void case11(void) { // a thread of pthreads
  with_thread(run11, this11, NULL);
}

// case 12: ok
static void *run12(void *x) {
  MPI_Barrier(WORLD);
  return x;
}
static void this12(void) { share(WORLD); }
static void case12(void) { // it is joined first
  with_thread(run12, NULL, this12);
}

// case 13: ok
static void *run13(void *x) {
  MPI_Barrier(WORLD);
  sem_post(&post);
  return x;
}
static void this13(void) { sem_wait(&post), share(WORLD); }
static void case13(void) { // it posts a semaphore
  with_thread(run13, this13, NULL);
}

// case 14: thread.collective
static void case14(void) { // a window
  REGION {
    if (ME == 0) FIRST(MPI_Win_fence(0, window)); // @14
    else {
      PAUSE;
      MPI_Win_fence(0, window); // @14
    }
  }
}

// case 15: ok
static void case15(void) { // a window, and a barrier of the team
  REGION {
    if (ME == 0) MPI_Win_fence(0, window);
#pragma omp barrier
    if (ME == 1) MPI_Win_fence(0, window);
  }
}

// case 16: thread.collective
static void case16(void) { // nonblocking collectives
  REGION {
    MPI_Request r;
    if (ME == 0) FIRST(MPI_Ibarrier(WORLD, &r)); // @16
    else {
      PAUSE;
      MPI_Ibcast(data, 1, MPI_INT, 0, WORLD, &r); // @16
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
}

// case 17: thread.collective
static void case17(void) { // a constructor
  REGION {
    if (ME == 0) {
      MPI_Comm copy;
      FIRST(MPI_Comm_dup(WORLD, &copy)); // @17
      MPI_Comm_free(&copy);
    } else {
      PAUSE;
      share(WORLD); // @17
    }
  }
}

// case 18: thread.collective
static void case18(void) { // a relaxed flag orders nothing
  static atomic_int flag;
  REGION {
    if (ME == 0) {
      MPI_Barrier(WORLD); // @18
      atomic_store_explicit(&flag, 1, memory_order_relaxed);
    } else {
      while (!atomic_load_explicit(&flag, memory_order_relaxed)) usleep(2000);
      share(WORLD); // @18
    }
  }
}

// case 19: ok
static void case19(void) { // a flag with release and acquire
  static atomic_int flag;
  REGION {
    if (ME == 0) {
      MPI_Barrier(WORLD);
      atomic_store_explicit(&flag, 1, memory_order_release);
    } else {
      while (!atomic_load_explicit(&flag, memory_order_acquire)) usleep(2000);
      share(WORLD);
    }
  }
}

// case 20: ok
static void case20(void) { // an ordered loop
#pragma omp parallel for ordered num_threads(2) schedule(static, 1)
  for (int i = 0; i < 4; i++) {
#pragma omp ordered
    share(WORLD);
  }
}

// case 21: thread.collective
static void case21(void) { // a loop that is not ordered
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int i = 0; i < 4; i++) share(WORLD); // @21
}

// case 22: ok
static int run22(void *x) {
  (void)x;
  return MPI_Barrier(WORLD);
}
static void case22(void) { // a thread of C11 that is joined
  thrd_t thread;
  thrd_create(&thread, run22, NULL);
  thrd_join(thread, NULL);
  share(WORLD);
}

// case 23: thread.collective
static int run23(void *x) {
  (void)x;
  FIRST(MPI_Barrier(WORLD)); // @23
  return 0;
}
static void case23(void) { // a thread of C11
  thrd_t thread;
  thrd_create(&thread, run23, NULL);
  PAUSE;
  share(WORLD); // @23
  thrd_join(thread, NULL);
}

// case 24: ok
static void case24(void) { // all by the thread that was first, masked
  REGION {
#pragma omp masked
    MPI_Barrier(WORLD);
#pragma omp masked
    share(WORLD);
  }
}

// case 25: thread.collective
static void case25(void) { // masked, and another thread
  REGION {
#pragma omp masked
    FIRST(MPI_Barrier(WORLD)); // @25
    if (ME == 1) {
      PAUSE;
      share(WORLD); // @25
    }
  }
}

// case 26: thread.collective
static void case26(void) { // a file
  REGION {
    if (ME == 0) FIRST(MPI_File_sync(file)); // @26
    else {
      PAUSE;
      MPI_File_sync(file); // @26
    }
  }
}

// case 27: thread.collective
static void case27(void) { // a nested region
  REGION {
    if (ME == 0) {
#pragma omp parallel num_threads(1)
      FIRST(MPI_Barrier(WORLD)); // @27
    } else {
      PAUSE;
      share(WORLD); // @27
    }
  }
}

// case 28: ok
static void case28(void) { // a taskgroup
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      MPI_Barrier(WORLD);
    }
    share(WORLD);
  }
}

// case 29: thread.collective
static void case29(void) { // a single that does not wait for its tasks
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    MPI_Barrier(WORLD); // @29
    share(WORLD);       // @29
  }
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  sem_init(&post, 0, 0);
  for (int i = 0; i < 2; i++) MPI_Comm_dup(WORLD, &own[i]);
  int *memory;
  MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, WORLD, &memory, &window);
  MPI_File_open(WORLD, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_Win_fence(0, window);
  void (*const cases[])(void) = {case1, case2, case3, case4, case5, case6, case7, case8, case9, case10,
                                 case11, case12, case13, case14, case15, case16, case17, case18, case19, case20,
                                 case21, case22, case23, case24, case25, case26, case27, case28, case29};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) is_over = 0, cases[i]();
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  MPI_Win_free(&window);
  MPI_File_close(&file);
  for (int i = 0; i < 2; i++) MPI_Comm_free(&own[i]);
  MPI_Finalize();
  return level < MPI_THREAD_MULTIPLE;
}
