// RUN: %mpicc-check %s -o %t -pthread
// RUN: %python %source/tests/threads/deadlock-ok.py %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: most threads wait for long, and one of them goes on in the end. The watch looks 200 times a second.
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rank, other, x, y;
static MPI_Comm first, second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int is_ready, fds[2];

static void work(void) { for (volatile long i = 0; i < 150000000; i++) {} }
static void sleep_long(void) { nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL); }
static void receive(int tag) { int in; MPI_Recv(&in, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void deliver(int tag) { MPI_Send(&y, 1, MPI_INT, other, tag, MPI_COMM_WORLD); }
static void *receive_1(void *p) { receive(1); return p; }
static void *receive_2(void *p) { receive(2); return p; }
static void *work_and_send(void *p) { work(), deliver(1); return p; }
static void *sleep_and_send(void *p) { sleep_long(), deliver(1); return p; }
static void *poll_and_send(void *p) { poll(NULL, 0, 400), deliver(1); return p; }
static void *read_and_send(void *p) {
  char c;
  if (read(fds[0], &c, 1) == 1) deliver(1);
  return p;
}
static void *timed_and_send(void *p) { // a wait with an end
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 400000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
  pthread_mutex_lock(&mutex);
  while (!is_ready && pthread_cond_timedwait(&condition, &mutex, &until) == 0) {}
  pthread_mutex_unlock(&mutex);
  deliver(1);
  return p;
}
static void with(void *(*run)(void *)) { // rank 0's main thread receives, and rank 1 sends late, from a thread
  pthread_t t;
  if (rank) pthread_create(&t, NULL, run, NULL), pthread_join(t, NULL);
  else pthread_create(&t, NULL, receive_1, NULL), pthread_join(t, NULL);
}
static void works(void) { with(work_and_send); }
static void sleeps(void) { with(sleep_and_send); }
static void polls(void) { with(poll_and_send); }
static void timed(void) { with(timed_and_send); }
static void reads(void) { // from a child: nobody in the program wakes the thread
  if (pipe(fds)) return;
  pid_t child = rank ? fork() : -1;
  if (!child) {
    sleep_long();
    _exit(write(fds[1], "x", 1) != 1);
  }
  with(read_and_send);
  if (child > 0) waitpid(child, NULL, 0);
}
static void *wait_and_send(void *p) { sem_wait(&semaphore), deliver(1); return p; }
static void on_alarm(int number) { (void)number, sem_post(&semaphore); }
static void handler(void) { // a signal handler posts
  signal(SIGALRM, on_alarm);
  alarm(1);
  if (rank) with(wait_and_send);
  else with(receive_1);
  alarm(0);
}
static sem_t *shared;
static void *wait_shared(void *p) { sem_wait(shared), deliver(1); return p; }
static void process(void) { // another process posts
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(shared, 1, 0);
  pid_t child = rank ? fork() : -1;
  if (!child) {
    sleep_long();
    _exit(sem_post(shared));
  }
  with(wait_shared);
  if (child > 0) waitpid(child, NULL, 0);
}
static void *serve(void *p) { // sits in a probe or receive until the stop message comes at the end
  MPI_Status status;
  do {
    int in;
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, first, &status);
    if (status.MPI_TAG) MPI_Send(&in, 1, MPI_INT, status.MPI_SOURCE, 0, second);
  } while (status.MPI_TAG);
  return p;
}
static void service(void) {
  pthread_t t;
  pthread_create(&t, NULL, serve, NULL);
  for (int i = 0; i < 3; i++) {
    MPI_Send(&i, 1, MPI_INT, other, 7, first);
    MPI_Recv(&x, 1, MPI_INT, other, 0, second, MPI_STATUS_IGNORE);
    if (rank) work();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Send(&y, 1, MPI_INT, rank, 0, first);
  pthread_join(t, NULL);
}
static void *wait_and_reply(void *p) {
  pthread_mutex_lock(&mutex);
  while (!is_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  deliver(2);
  return p;
}
static void condition_variable(void) { // two threads wait, the third receives late and wakes them
  pthread_t t[2];
  pthread_create(&t[0], NULL, wait_and_reply, NULL);
  pthread_create(&t[1], NULL, receive_2, NULL);
  if (rank) work();
  deliver(1), receive(1);
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(t[0], NULL), pthread_join(t[1], NULL);
}
static void *hold(void *p) {
  pthread_mutex_lock(&mutex);
  sem_post(&semaphore);
  receive(1);
  pthread_mutex_unlock(&mutex);
  return p;
}
static void lock(void) { // the mutex is held over a receive whose sender does not need it
  pthread_t t;
  pthread_create(&t, NULL, hold, NULL);
  sem_wait(&semaphore);
  if (rank) work();
  deliver(1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
}
static void *meet(void *p) { receive(1), pthread_barrier_wait(&barrier); return p; }
static void barriers(void) {
  pthread_t t;
  pthread_create(&t, NULL, meet, NULL);
  if (rank) work();
  deliver(1);
  pthread_barrier_wait(&barrier);
  pthread_join(t, NULL);
}
static void *in_first(void *p) { MPI_Barrier(first); return p; }
static void collectives(void) { // at the same time, in any order
  pthread_t t;
  pthread_create(&t, NULL, in_first, NULL);
  if (rank) work();
  MPI_Barrier(second);
  pthread_join(t, NULL);
}
static void *same(void *p) { MPI_Ssend(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD); return p; }
static void channel(void) { // two threads of each rank send on one channel, and two receive on it
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, i % 2 ? same : receive_1, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
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
      {"works", works}, {"sleeps", sleeps}, {"polls", polls}, {"timed", timed}, {"reads", reads}, {"handler", handler},
      {"process", process}, {"service", service}, {"condition", condition_variable}, {"lock", lock},
      {"barriers", barriers}, {"collectives", collectives}, {"channel", channel}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) cases[i].run();
  MPI_Comm_free(&first), MPI_Comm_free(&second);
  MPI_Finalize();
  if (!rank) puts("done");
  return 0;
}
