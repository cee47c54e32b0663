// RUN: %mpicc-check %s -o %t -pthread
// RUN: %expect66 %mpirun-check -n 2 %t join 2>&1 | FileCheck %s --check-prefix=JOIN --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t two 2>&1 | FileCheck %s --check-prefix=TWO --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t mutex 2>&1 | FileCheck %s --check-prefix=MUTEX --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t condition 2>&1 | FileCheck %s --check-prefix=CONDITION --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t semaphore 2>&1 | FileCheck %s --check-prefix=SEMAPHORE --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t barrier 2>&1 | FileCheck %s --check-prefix=BARRIER --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t collectives 2>&1 | FileCheck %s --check-prefix=COLLECTIVES --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t ssend 2>&1 | FileCheck %s --check-prefix=SSEND --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t finished 2>&1 | FileCheck %s --check-prefix=FINISHED --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t circle 2>&1 | FileCheck %s --check-prefix=CIRCLE --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t inside 2>&1 | FileCheck %s --check-prefix=INSIDE --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t finalize 2>&1 | FileCheck %s --check-prefix=FINALIZE --implicit-check-not='{{ERROR|WARNING}} ['
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deadlocks in which several threads of a rank take part. The right twins are in deadlock-ok.c.
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static int rank, other, y;
static MPI_Comm first, second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int is_ready;

static void receive(int tag);
static pthread_t in_circle[3];
static void *join_next(void *p) {
  pthread_barrier_wait(&barrier);
  pthread_join(in_circle[*(int *)p], NULL);
  return p;
}
// CIRCLE: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// CIRCLE-NEXT: rank 0 waits with its 4 threads; rank 1 waits in MPI_Recv at
// CIRCLE: in rank 0 3 threads wait for another thread to end
static void circle(void) { // three threads join each other in a circle, and the main thread receives
  int next[3] = {1, 2, 0};
  if (rank == 0) {
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 3; i++) pthread_create(&in_circle[i], NULL, join_next, &next[i]);
    pthread_barrier_wait(&barrier);
  }
  receive(1);
}
// INSIDE: ERROR [deadlock] deadlock: 1 rank waits for itself: threads that wait for each other on rank 0
// INSIDE-NEXT: rank 0 waits with its 3 threads; rank 1 waits in MPI_Recv at {{.*}} for deadlocked ranks
// INSIDE: in rank 0 the main thread waits for another thread to end, 2 threads wait for another thread to end
static void inside(void) { // the main thread is one of the circle
  int next[3] = {1, 2, 0};
  if (rank == 0) {
    pthread_barrier_init(&barrier, NULL, 3);
    in_circle[0] = pthread_self();
    for (int i = 1; i < 3; i++) pthread_create(&in_circle[i], NULL, join_next, &next[i]);
    join_next(&next[0]);
  }
  receive(1);
}

static void receive(int tag) { int in; MPI_Recv(&in, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void *receive_1(void *p) { receive(1); return p; }
static void *receive_2(void *p) { receive(2); return p; }
static void *ssend_1(void *p) { MPI_Ssend(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD); return p; }
static void *ssend_2(void *p) { MPI_Ssend(&y, 1, MPI_INT, other, 2, MPI_COMM_WORLD); return p; }
static void *receive_locked(void *p) {
  pthread_mutex_lock(&mutex);
  sem_post(&semaphore); // the other thread comes when the mutex is taken
  receive(1);
  pthread_mutex_unlock(&mutex);
  return p;
}
static void *receive_and_tell(void *p) {
  receive(1);
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return p;
}
static void *receive_and_post(void *p) { receive(1); sem_post(&semaphore); return p; }
static void *receive_and_meet(void *p) { receive(1); pthread_barrier_wait(&barrier); return p; }
static void *collective(void *p) {
  pthread_mutex_lock(&mutex);
  MPI_Barrier(*(MPI_Comm *)p);
  pthread_mutex_unlock(&mutex);
  return p;
}

// JOIN: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// JOIN-NEXT: ranks 0,1 wait with their 2 threads
// JOIN: a thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-31]] in receive
// JOIN-NEXT: called from deadlock.c:[[#@LINE-31]] in
// JOIN: a thread of rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-33]] in receive
// JOIN-NEXT: called from deadlock.c:[[#@LINE-33]] in
// JOIN: in rank 0 the main thread waits for another thread to end, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+4]]
// JOIN: in rank 1 the main thread waits for another thread to end, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+3]]
static void join(void) { // a thread receives, and main waits for it
  pthread_t t;
  pthread_create(&t, NULL, receive_1, NULL);
  pthread_join(t, NULL);
  MPI_Send(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
}
// TWO: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// TWO-NEXT: ranks 0,1 wait with their 3 threads
// TWO-NEXT: the main thread of rank 0 waits in MPI_Recv(source 1, tag 3) for rank 1 deadlock.c:[[#@LINE-45]] in receive
// TWO-DAG: a thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-46]] in receive
// TWO-DAG: a thread of rank 0 waits in MPI_Recv(source 1, tag 2) for rank 1 deadlock.c:[[#@LINE-47]] in receive
// TWO: the main thread of rank 1 waits in MPI_Recv(source 0, tag 3) for rank 0
static void two(void) { // two threads and main, each waits for a message that is sent later
  pthread_t t[2];
  pthread_create(&t[0], NULL, receive_1, NULL);
  pthread_create(&t[1], NULL, receive_2, NULL);
  receive(3);
  for (int tag = 1; tag < 4; tag++) MPI_Send(&y, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  pthread_join(t[0], NULL), pthread_join(t[1], NULL);
}
// MUTEX: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// MUTEX-NEXT: ranks 0,1 wait with their 2 threads
// MUTEX: a thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-59]] in receive
// MUTEX-NEXT: called from deadlock.c:[[#@LINE-52]] in
// MUTEX: a thread of rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-61]] in receive
// MUTEX-NEXT: called from deadlock.c:[[#@LINE-54]] in
// MUTEX: in rank 0 the main thread waits for a lock, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+4]]
// MUTEX: in rank 1 the main thread waits for a lock, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+3]]
static void hold(void) { // a mutex that is held over the receive keeps the other thread from sending
  pthread_t t;
  pthread_create(&t, NULL, receive_locked, NULL);
  sem_wait(&semaphore);
  pthread_mutex_lock(&mutex);
  MPI_Send(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
}
// CONDITION: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// CONDITION-NEXT: ranks 0,1 wait with their 2 threads
// CONDITION: a thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-76]] in receive
// CONDITION-NEXT: called from deadlock.c:[[#@LINE-64]] in
// CONDITION: a thread of rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-78]] in receive
// CONDITION-NEXT: called from deadlock.c:[[#@LINE-66]] in
// CONDITION: in rank 0 the main thread waits for a condition variable, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+4]]
// CONDITION: in rank 1 the main thread waits for a condition variable, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+3]]
static void wait_for_signal(void) {
  pthread_t t;
  pthread_create(&t, NULL, receive_and_tell, NULL);
  pthread_mutex_lock(&mutex);
  while (!is_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  MPI_Send(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
  pthread_join(t, NULL);
}
// SEMAPHORE: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// SEMAPHORE-NEXT: ranks 0,1 wait with their 2 threads
// SEMAPHORE: a thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-93]] in receive
// SEMAPHORE-NEXT: called from deadlock.c:[[#@LINE-74]] in
// SEMAPHORE: a thread of rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-95]] in receive
// SEMAPHORE-NEXT: called from deadlock.c:[[#@LINE-76]] in
// SEMAPHORE: in rank 0 the main thread waits for a semaphore, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+4]]
// SEMAPHORE: in rank 1 the main thread waits for a semaphore, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+3]]
static void wait_for_post(void) {
  pthread_t t;
  pthread_create(&t, NULL, receive_and_post, NULL);
  sem_wait(&semaphore);
  MPI_Send(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
  pthread_join(t, NULL);
}
// BARRIER: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// BARRIER-NEXT: ranks 0,1 wait with their 2 threads
// BARRIER: a thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-108]] in receive
// BARRIER-NEXT: called from deadlock.c:[[#@LINE-88]] in
// BARRIER: a thread of rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-110]] in receive
// BARRIER-NEXT: called from deadlock.c:[[#@LINE-90]] in
// BARRIER: in rank 0 the main thread waits at a barrier of threads, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+4]]
// BARRIER: in rank 1 the main thread waits at a barrier of threads, the thread in MPI_Recv was created at deadlock.c:[[#@LINE+3]]
static void meet(void) {
  pthread_t t;
  pthread_create(&t, NULL, receive_and_meet, NULL);
  pthread_barrier_wait(&barrier);
  MPI_Send(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
  pthread_join(t, NULL);
}
// COLLECTIVES: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Barrier on rank 0 on the communicator of MPI_Comm_dup at deadlock.c:{{[0-9]+}}, MPI_Barrier on rank 1 on
// COLLECTIVES-NEXT: ranks 0,1 wait with their 3 threads
// COLLECTIVES-NEXT: a thread of rank 0 waits in MPI_Barrier for rank 1 deadlock.c:[[#@LINE-99]] in collective
// COLLECTIVES: a thread of rank 1 waits in MPI_Barrier for rank 0 deadlock.c:[[#@LINE-100]] in collective
// COLLECTIVES: in rank 0 the main thread waits for another thread to end, 1 thread waits for a lock, the thread in MPI_Barrier was created at
// COLLECTIVES: in rank 1 the main thread waits for another thread to end, 1 thread waits for a lock, the thread in MPI_Barrier was created at
static void collectives(void) { // one rank has the mutex for the one communicator, the other for the other
  pthread_t t[2];
  pthread_create(&t[0], NULL, collective, rank ? &second : &first);
  if (!rank) MPI_Send(&y, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
  else MPI_Recv(&y, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int is_taken = 0; !is_taken;) { // until the thread has it
    is_taken = pthread_mutex_trylock(&mutex) != 0;
    if (!is_taken) pthread_mutex_unlock(&mutex);
  }
  pthread_create(&t[1], NULL, collective, rank ? &first : &second);
  pthread_join(t[0], NULL), pthread_join(t[1], NULL);
}
// SSEND: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Ssend on rank 0, MPI_Ssend on rank 1
// SSEND-DAG: a thread of rank 0 waits in MPI_Ssend(dest 1, tag 1) for rank 1 deadlock.c:[[#@LINE-137]] in ssend_1
// SSEND-DAG: a thread of rank 0 waits in MPI_Ssend(dest 1, tag 2) for rank 1 deadlock.c:[[#@LINE-137]] in ssend_2
// SSEND-DAG: a thread of rank 1 waits in MPI_Ssend(dest 0, tag 1) for rank 0 deadlock.c:[[#@LINE-139]] in ssend_1
// SSEND-DAG: a thread of rank 1 waits in MPI_Ssend(dest 0, tag 2) for rank 0 deadlock.c:[[#@LINE-139]] in ssend_2
// SSEND: in rank 0 the main thread waits for another thread to end
static void ssends(void) { // a cycle over four threads: nobody receives before all is sent
  pthread_t t[2];
  pthread_create(&t[0], NULL, ssend_1, NULL);
  pthread_create(&t[1], NULL, ssend_2, NULL);
  pthread_join(t[0], NULL), pthread_join(t[1], NULL);
  receive(1), receive(2);
}
// FINISHED: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Finalize on rank 1
// FINISHED-NEXT: rank 0 waits with its 2 threads; rank 1 waits in MPI_Finalize at deadlock.c:[[#@LINE+36]]
// FINISHED: a thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-154]] in receive
// FINISHED: rank 1 waits in MPI_Finalize for rank 0 deadlock.c:[[#@LINE+34]] in main
// FINISHED: in rank 0 the main thread waits for another thread to end
static void finished(void) { // nobody sends
  pthread_t t;
  if (rank) return;
  pthread_create(&t, NULL, receive_1, NULL);
  pthread_join(t, NULL);
}
// FINALIZE: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// FINALIZE-NEXT: rank 0 waits with its 2 threads; rank 1 waits in MPI_Recv at deadlock.c:[[#@LINE-164]]
// FINALIZE: the main thread of rank 0 waits in MPI_Finalize for rank 1 deadlock.c:[[#@LINE+24]] in main
// FINALIZE: a thread of rank 0 waits in MPI_Recv(source 1, tag 2) for rank 1 deadlock.c:[[#@LINE-166]] in receive
// FINALIZE: rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-167]] in receive
static void finalize(void) { // rank 1 waits for a message, and so does a thread of rank 0, which is in MPI_Finalize
  pthread_t t;
  if (rank) receive(1);
  else pthread_create(&t, NULL, receive_2, NULL);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &first), MPI_Comm_dup(MPI_COMM_WORLD, &second);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&semaphore, 0, 0);
  struct { const char *name; void (*run)(void); } cases[] = {
      {"join", join}, {"two", two}, {"mutex", hold}, {"condition", wait_for_signal}, {"semaphore", wait_for_post},
      {"barrier", meet}, {"collectives", collectives}, {"ssend", ssends}, {"finished", finished},
      {"finalize", finalize}, {"circle", circle}, {"inside", inside}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) cases[i].run();
  MPI_Comm_free(&first), MPI_Comm_free(&second);
  MPI_Finalize();
  return 0;
}
