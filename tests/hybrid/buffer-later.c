// RUN: %mpicc-check -O1 %s -o %t -pthread
// RUN: %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pairs: buffer.modified-in-use
// Accesses when no sample is taken: only the pages of past operations are marked then, and those that are ordered
// behind all of these are not looked at again (clean-page.h).
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#define SELF MPI_COMM_SELF
#define IGNORE MPI_STATUS_IGNORE
enum { N = 4096 };
static int buf[N], out[N], *order, *noise;
static sem_t go, ready;
static volatile int sink, step; // a volatile flag orders nothing
static void wait_for(int value) {
  while (step < value) usleep(100);
}

static void exchange(void) { MPI_Sendrecv(out, N, MPI_INT, 0, 1, buf, N, MPI_INT, 0, 1, SELF, IGNORE); }
static int sum(void) {
  int s = 0;
  for (int i = 0; i < N; i++) s += buf[order[i] % N];
  return s;
}
static void *nothing(void *p) {
  sem_wait(&go);
  return p;
}
static void spend(void) { // all that is sampled at first
  pthread_t t;
  pthread_create(&t, NULL, nothing, NULL);
  for (int i = 0; i < 40 * N; i++) noise[order[i % N]] += i;
  sem_post(&go);
  pthread_join(t, NULL);
}

// case 1: ok
static void *reader(void *p) {
  sem_wait(&go);
  sink = sum();
  sem_post(&ready);
  return p;
}
static void case1(void) { // the thread computes on what came, again and again
  pthread_t t;
  for (int i = 0; i < 5; i++) {
    pthread_create(&t, NULL, reader, NULL);
    exchange();
    sink = sum(), sink += sum();
    sem_post(&go);
    sem_wait(&ready);
    exchange();
    pthread_join(t, NULL);
  }
}
// case 2: thread.buffer
static void *late(void *p) {
  wait_for(1);
  buf[7] = 1; // @2
  step = 2;
  return p;
}
static void case2(void) { // the main thread is ordered behind its own operation, and the other one is not
  pthread_t t;
  pthread_create(&t, NULL, late, NULL);
  MPI_Sendrecv(out, N, MPI_INT, 0, 1, buf, N, MPI_INT, 0, 1, SELF, IGNORE); // @2
  sink = sum(), sink += sum();
  step = 1;
  wait_for(2);
  pthread_join(t, NULL);
}
// case 3: thread.buffer
static void *again(void *p) {
  sem_wait(&go);
  for (int i = 0; i < N; i++) buf[order[i]] += 1;
  for (int i = 0; i < N; i++) buf[order[i]] += 1;
  sem_post(&ready);
  wait_for(1);
  buf[9] = 2; // @3
  step = 2;
  return p;
}
static void case3(void) { // ordered behind the first operation, and not behind the second one
  pthread_t t;
  pthread_create(&t, NULL, again, NULL);
  exchange();
  sem_post(&go);
  sem_wait(&ready);
  MPI_Sendrecv(out, N, MPI_INT, 0, 1, buf, N, MPI_INT, 0, 1, SELF, IGNORE); // @3
  step = 1;
  wait_for(2);
  pthread_join(t, NULL);
}
// case 4: buffer.modified-in-use
static void case4(void) { // its own operation, which is under way
  pthread_t t;
  MPI_Request request;
  pthread_create(&t, NULL, nothing, NULL);
  exchange();
  sink = sum(), sink += sum();
  MPI_Irecv(buf, N, MPI_INT, 0, 1, SELF, &request); // @4
  buf[order[5]] = 4;                                // @4
  MPI_Send(out, N, MPI_INT, 0, 1, SELF);
  MPI_Wait(&request, IGNORE);
  sem_post(&go);
  pthread_join(t, NULL);
}
// case 5: buffer.modified-in-use
static void case5(void) { // posted while there was one thread, behind clean pages of an earlier time with two
  pthread_t t;
  MPI_Request request;
  pthread_create(&t, NULL, nothing, NULL);
  exchange();
  sink = sum(), sink += sum();
  sem_post(&go);
  pthread_join(t, NULL);
  MPI_Irecv(buf, N, MPI_INT, 0, 1, SELF, &request); // @5
  pthread_create(&t, NULL, nothing, NULL);
  buf[order[6]] = 4; // @5
  MPI_Send(out, N, MPI_INT, 0, 1, SELF);
  MPI_Wait(&request, IGNORE);
  sem_post(&go);
  pthread_join(t, NULL);
}
// case 6: thread.buffer
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static void *behind(void *p) {
  wait_for(1);
  pthread_mutex_lock(&lock);
  sink = flag;
  sink += buf[order[3]];
  pthread_mutex_unlock(&lock);
  buf[order[3]] = 6;
  return p;
}
static void *without(void *p) {
  wait_for(1);
  pthread_mutex_lock(&lock);
  sink = noise[1];
  pthread_mutex_unlock(&lock);
  buf[order[3]] = 6; // @6
  step = 2;
  return p;
}
static void case6(void) { // of two threads the one that has read the flag is ordered
  pthread_t t, u;
  pthread_create(&t, NULL, behind, NULL);
  pthread_create(&u, NULL, without, NULL);
  MPI_Sendrecv(out, N, MPI_INT, 0, 1, buf, N, MPI_INT, 0, 1, SELF, IGNORE); // @6
  pthread_mutex_lock(&lock);
  flag = 1;
  pthread_mutex_unlock(&lock);
  step = 1;
  wait_for(2);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}

int main(int argc, char **argv) {
  int level, first = argc > 1 ? atoi(argv[1]) : 0;
  static void (*const cases[])(void) = {case1, case2, case3, case4, case5, case6};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  order = malloc(N * sizeof *order), noise = calloc(N, sizeof *noise);
  for (int i = 0; i < N; i++) order[i] = (i * 77) % N;
  sem_init(&go, 0, 0), sem_init(&ready, 0, 0);
  spend();
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!first || first == i + 1) step = 0, cases[i]();
  free(order), free(noise);
  MPI_Finalize();
  return 0;
}
