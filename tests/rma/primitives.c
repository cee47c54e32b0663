// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t -pthread
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// ONCE: %mpicc-check -O0 %s -o %t.0 -pthread
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t.0 %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared windows in which processes order their loads and stores by what is not MPI: locks of C11 atomics, and the primitives of POSIX that
// processes may share. Which of two was first only the run knew (docs/design/rma.md, turns).
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

struct shared {
  atomic_int lock;
  atomic_flag flag;
  pthread_mutex_t mutexes[2];
  pthread_rwlock_t rwlock;
  pthread_barrier_t barrier;
  sem_t semaphore;
  int x;
};
static int rank, size, y;
static struct shared *s;
static MPI_Win win;

static void open_window(void) {
  void *own;
  MPI_Aint bytes;
  int unit;
  MPI_Win_allocate_shared(rank ? 0 : sizeof *s, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &s);
  if (!rank) {
    pthread_mutexattr_t mutex;
    pthread_rwlockattr_t rwlock;
    pthread_barrierattr_t barrier;
    pthread_mutexattr_init(&mutex), pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_init(&rwlock), pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_init(&barrier), pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    for (int i = 0; i < 2; i++) pthread_mutex_init(&s->mutexes[i], &mutex);
    pthread_rwlock_init(&s->rwlock, &rwlock);
    pthread_barrier_init(&s->barrier, &barrier, (unsigned)size);
    sem_init(&s->semaphore, 1, 0);
    atomic_store(&s->lock, 0), atomic_flag_clear(&s->flag);
    s->x = 0;
  }
  MPI_Win_lock_all(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void take(void) {
  for (int zero = 0; !atomic_compare_exchange_weak(&s->lock, &zero, 1);) zero = 0;
}
static void give(void) { atomic_store(&s->lock, 0); }

// case 1: ok (a lock of compare-and-swap)
static void case_1(void) {
  take();
  s->x++;   // @1
  give();
}
// case 2: rma.race (one does not take it)
static void case_2(void) {
  if (rank == 1) take();
  if (rank) s->x = 1;   // @2
  if (rank == 1) give();
}
// case 3: ok (test and set)
static void case_3(void) {
  while (atomic_flag_test_and_set(&s->flag)) {}
  s->x++;   // @3
  atomic_flag_clear(&s->flag);
}
// case 4: ok (a mutex)
static void case_4(void) {
  pthread_mutex_lock(&s->mutexes[1]);
  s->x++;   // @4
  pthread_mutex_unlock(&s->mutexes[1]);
}
// case 5: rma.race (two mutexes)
static void case_5(void) {
  if (!rank) return;
  pthread_mutex_lock(&s->mutexes[rank - 1]);
  s->x = 1;   // @5
  pthread_mutex_unlock(&s->mutexes[rank - 1]);
}
// case 6: ok (a barrier)
static void case_6(void) {
  if (rank == 1) s->x = 1;   // @6
  pthread_barrier_wait(&s->barrier);
  if (rank == 2) y = s->x;   // @6
}
// case 7: ok (a semaphore)
static void case_7(void) {
  if (rank == 1) s->x = 1, sem_post(&s->semaphore);   // @7
  if (rank == 2) sem_wait(&s->semaphore), s->x++;   // @7
}
// case 8: rma.race (it is posted before a call of MPI, and the store comes behind)
static void case_8(void) {
  if (rank == 1) {
    sem_post(&s->semaphore);
    MPI_Win_sync(win);
    s->x = 1;   // @8
  }
  if (rank == 2) sem_wait(&s->semaphore), s->x = 2;   // @8
}
// case 9: ok (readers and a writer)
static void case_9(void) {
  if (rank == 1) {
    pthread_rwlock_wrlock(&s->rwlock);
    s->x = 1;   // @9
  } else {
    pthread_rwlock_rdlock(&s->rwlock);
    y = s->x;   // @9
  }
  pthread_rwlock_unlock(&s->rwlock);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    open_window();
    cases[i]();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
