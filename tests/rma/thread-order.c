// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t -lpthread
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread accesses a window, and another one takes part in what other ranks wait for. Only what orders the two
// threads orders the access before or behind it (MPI-3.1 11.7, 12.4).
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, x[16], *memory;
static MPI_Win win;
static sem_t done, go;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static int is_done;
static atomic_int flag;

static pthread_t start(void *(*f)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, f, argument)) abort();
  return thread;
}
static void join(pthread_t thread) { pthread_join(thread, NULL); }
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

// The worker of rank 1 puts and flushes, and tells it in the way that is named by the argument.
enum way { NOTHING, SEMAPHORE, CONDITION, BARRIER, RELEASE, RELAXED, PIPE };
static int pipes[2];
static void tell(enum way way) {
  if (way == PIPE && write(pipes[1], "", 1) != 1) abort();
  if (way == SEMAPHORE) sem_post(&done);
  if (way == BARRIER) pthread_barrier_wait(&both);
  if (way == RELEASE) atomic_store_explicit(&flag, 1, memory_order_release);
  if (way == RELAXED) atomic_store_explicit(&flag, 1, memory_order_relaxed);
  if (way != CONDITION) return;
  pthread_mutex_lock(&mutex);
  is_done = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}
static void hear(enum way way) {
  char byte;
  if (way == PIPE && read(pipes[0], &byte, 1) != 1) abort();
  if (way == SEMAPHORE) sem_wait(&done);
  if (way == BARRIER) pthread_barrier_wait(&both);
  if (way == RELEASE)
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {}
  if (way == RELAXED)
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {}
  if (way != CONDITION) return;
  pthread_mutex_lock(&mutex);
  while (!is_done) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void *put_1(void *way) {
  MPI_Put(x, 1, MPI_INT, 0, 1, 1, MPI_INT, win); // @1
  MPI_Win_flush(0, win);
  tell(*(enum way *)way);
  return NULL;
}
static void *put_2(void *way) {
  MPI_Put(x, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
  MPI_Win_flush(0, win);
  tell(*(enum way *)way);
  return NULL;
}

// case 1: rma.race (the worker's put and the main thread's barrier: nothing orders them)
static void case_1(void) {
  enum way way = NOTHING;
  pthread_t worker;
  if (rank == 1) worker = start(put_1, &way);
  barrier();
  if (!rank) x[1] = memory[1]; // @1
  if (rank == 1) join(worker);
}
static void ordered(enum way way) {
  if (rank == 1) {
    pthread_t worker = start(put_2, &way);
    hear(way);
    barrier();
    join(worker);
  } else barrier();
  if (!rank) x[2] = memory[2];
}
// case 2: ok (joined before the barrier)
static void case_2(void) {
  enum way way = NOTHING;
  if (rank == 1) join(start(put_2, &way));
  barrier();
  if (!rank) x[2] = memory[2];
}
// case 3: ok (semaphore)
static void case_3(void) { ordered(SEMAPHORE); }
// case 4: ok (condition variable)
static void case_4(void) { ordered(CONDITION); }
// case 5: ok (barrier of threads)
static void case_5(void) { ordered(BARRIER); }
// case 6: ok (release and acquire)
static void case_6(void) { ordered(RELEASE); }

static void *put_7(void *way) {
  MPI_Put(x, 1, MPI_INT, 0, 7, 1, MPI_INT, win); // @7
  MPI_Win_flush(0, win);
  tell(*(enum way *)way);
  return NULL;
}
// case 7: rma.race (a relaxed flag orders nothing)
static void case_7(void) {
  enum way way = RELAXED;
  pthread_t worker;
  if (rank == 1) worker = start(put_7, &way), hear(way);
  barrier();
  if (!rank) x[7] = memory[7]; // @7
  if (rank == 1) join(worker);
}

static void *put_only_8(void *unused) {
  MPI_Put(x, 1, MPI_INT, 0, 8, 1, MPI_INT, win); // @8
  return unused;
}
// case 8: rma.race (the main thread flushes, and nothing orders the worker's put before it)
static void case_8(void) {
  pthread_t worker;
  if (rank == 1) worker = start(put_only_8, NULL), MPI_Win_flush(0, win);
  barrier();
  if (!rank) x[8] = memory[8]; // @8
  if (rank == 1) join(worker);
}
static void *put_only_9(void *unused) {
  MPI_Put(x, 1, MPI_INT, 0, 9, 1, MPI_INT, win);
  sem_post(&done);
  return unused;
}
// case 9: ok (the main thread flushes behind the put)
static void case_9(void) {
  pthread_t worker;
  if (rank == 1) worker = start(put_only_9, NULL), sem_wait(&done), MPI_Win_flush(0, win);
  barrier();
  if (!rank) x[9] = memory[9];
  if (rank == 1) join(worker);
}

// At the target.
static void *load_10(void *unused) {
  x[10] = memory[10]; // @10
  return unused;
}
// case 10: rma.race (a thread of the target loads, and nothing orders it behind the barrier)
static void case_10(void) {
  pthread_t worker;
  if (!rank) worker = start(load_10, NULL);
  if (rank == 1) {
    MPI_Put(x, 1, MPI_INT, 0, 10, 1, MPI_INT, win); // @10
    MPI_Win_flush(0, win);
  }
  barrier();
  if (!rank) join(worker);
}
static void *load_11(void *unused) {
  sem_wait(&go);
  x[11] = memory[11];
  return unused;
}
// case 11: ok (it waits until the main thread is behind the barrier)
static void case_11(void) {
  pthread_t worker;
  if (!rank) worker = start(load_11, NULL);
  if (rank == 1) {
    MPI_Put(x, 1, MPI_INT, 0, 11, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
  }
  barrier();
  if (!rank) sem_post(&go), join(worker);
}
static void *send_12(void *unused) {
  MPI_Send(NULL, 0, MPI_INT, 0, 12, MPI_COMM_WORLD);
  return unused;
}
// case 12: rma.race (the message of a worker that was started before the put)
static void case_12(void) {
  if (rank == 1) {
    pthread_t worker = start(send_12, NULL);
    MPI_Put(x, 1, MPI_INT, 0, 12, 1, MPI_INT, win); // @12
    MPI_Win_flush(0, win);
    join(worker);
  }
  if (rank) return;
  MPI_Recv(NULL, 0, MPI_INT, 1, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x[12] = memory[12]; // @12
}
// case 13: ok (the worker is started behind the flush)
static void case_13(void) {
  if (rank == 1) {
    MPI_Put(x, 1, MPI_INT, 0, 13, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    join(start(send_12, NULL));
  }
  if (rank) return;
  MPI_Recv(NULL, 0, MPI_INT, 1, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x[13] = memory[13];
}
static void *receive_14(void *unused) {
  MPI_Recv(NULL, 0, MPI_INT, 1, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sem_post(&done);
  return unused;
}
// case 14: ok (a worker receives the message, and tells the main thread)
static void case_14(void) {
  if (rank == 1) {
    MPI_Put(x, 1, MPI_INT, 0, 14, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Send(NULL, 0, MPI_INT, 0, 14, MPI_COMM_WORLD);
  }
  if (rank) return;
  pthread_t worker = start(receive_14, NULL);
  sem_wait(&done);
  x[14] = memory[14];
  join(worker);
}
// case 15: ok (a byte in a pipe)
static void case_15(void) { ordered(PIPE); }

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (pipe(pipes)) return 1;
  sem_init(&done, 0, 0), sem_init(&go, 0, 0), pthread_barrier_init(&both, NULL, 2);
  static void (*const cases[])(void) = {case_1, case_2,  case_3,  case_4,  case_5,  case_6,  case_7, case_8,
                                        case_9, case_10, case_11, case_12, case_13, case_14, case_15};
  for (int i = 0; i < 15; i++) {
    is_done = 0, atomic_store(&flag, 0);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    cases[i]();
    barrier();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
