// RUN: %mpicc-check -O2 %s -o %t -pthread
// RUN: %mpicc-check -O0 %s -o %t.0 -pthread
// RUN: %mpicc -O1 -g %s -o %t.plain -pthread
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 9 %t 0 %t.memory 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 9 %t.0 1 %t.memory 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 9 %t.0 0 %t.memory 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 9 %t 1 %t.memory 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 4 %t.plain 0 %t.memory 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that probe in vain for much longer than polling_time, for a message that cannot come while the last rank waits. They end by themselves: by a clock, a
// counter, a signal, a thread, a file, memory. There is one note, and the run goes on. So it is where the code was not recompiled.
// CHECK: NOTE [hang.polling] {{[0-9]+}} ranks wait or poll for each other, and may go on: MPI_
// CHECK: rank {{[0-9]}} polls with MPI_Iprobe for rank {{[0-9]}} {{.*}}polling-ends.c:{{[0-9]+}} in
// CHECK: may end for another reason (a clock, a counter, memory, a file, a signal), so the run goes on
// CHECK-NOT: hang.polling
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 4 };
static int last, flag;
static volatile int *memory; // of all processes
static volatile sig_atomic_t is_signalled, is_inside;
static volatile int is_set;
static int is_set_plainly;
static sigjmp_buf way_out;
static int pipes[2];

static double now(void) { // no call of MPI
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void probe(int *found) { MPI_Iprobe(last, 1, MPI_COMM_WORLD, found, MPI_STATUS_IGNORE); }
static void set(int number) { (void)number, is_signalled = 1; }
static void leave(int number) {
  (void)number;
  if (!is_inside) siglongjmp(way_out, 1);
}
static void *act(void *unused) {
  sleep(SECONDS);
  is_set = 1, is_set_plainly = 1;
  return write(pipes[1], "x", 1) == 1 ? unused : NULL;
}
static void start_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, act, NULL);
  pthread_detach(thread);
}

static void clock_of_system(void) { for (double end = now() + SECONDS; !flag && now() < end;) probe(&flag); }
static void time_of_day(void) {
  struct timeval begin, t;
  gettimeofday(&begin, NULL);
  do { probe(&flag); gettimeofday(&t, NULL); } while (!flag && t.tv_sec - begin.tv_sec <= SECONDS);
}
static void seconds(void) { for (time_t end = time(NULL) + SECONDS; !flag && time(NULL) < end;) probe(&flag); }
#ifdef __x86_64__
#define CYCLES __builtin_ia32_rdtsc()
#else
#define CYCLES (unsigned long long)(now() * 1e9)
#endif
static void cycles(void) {
  unsigned long long begin = CYCLES, n;
  for (double end = now() + 0.5; now() < end;) {}
  n = CYCLES - begin;
  for (begin = CYCLES; !flag && CYCLES - begin < 2 * SECONDS * n;) probe(&flag);
}
static void counter(void) {
  long n = 0, step = 1;
  double begin = now();
  for (; now() - begin < 0.5; n++) probe(&flag);
  n *= SECONDS * 2;
  for (long i = 0; i < n && !flag; i += step) probe(&flag);
}
static void signal_flag(void) { signal(SIGALRM, set); alarm(SECONDS); while (!flag && !is_signalled) probe(&flag); }
static void signal_jump(void) { // nothing that the loop looks at ends it; between two probes a jump is legal
  struct itimerval t = {{0, 1000}, {0, 300000}}, none = {{0, 0}, {0, 0}};
  signal(SIGPROF, leave);
  is_inside = 1;
  setitimer(ITIMER_PROF, &t, NULL);
  if (!sigsetjmp(way_out, 1)) while (!flag) {
    is_inside = 1;
    probe(&flag);
    is_inside = 0;
    for (volatile int i = 0; i < 1500; i++) {}
  }
  is_inside = 1;
  setitimer(ITIMER_PROF, &none, NULL);
}
static void thread_flag(void) { start_thread(); while (!flag && !is_set) probe(&flag); }
static void thread_plain(void) { start_thread(); while (!flag && !is_set_plainly) probe(&flag); }
static void read_pipe(void) {
  char c;
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  start_thread();
  while (!flag && read(pipes[0], &c, 1) != 1) probe(&flag);
}
static void shared(void) { while (!flag && !*memory) probe(&flag); }
static int (*condition)(void);
static int is_late(void) { return *memory; }
static void by_function(void) { condition = is_late; while (!flag && !condition()) probe(&flag); }
static void variable(void) {
  unsetenv("MPI_STOP");
  while (!flag && !getenv("MPI_STOP")) { probe(&flag); if (*memory) setenv("MPI_STOP", "1", 1); }
}
static void another_message(void) { // what it asks for changes with time
  double end = now() + SECONDS;
  while (!flag) {
    int self, tag = now() > end ? 2 : 1, x = 0, y;
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    if (tag == 2) MPI_Isend(&x, 1, MPI_INT, self, 2, MPI_COMM_WORLD, &r);
    MPI_Iprobe(tag == 2 ? self : last, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (flag) MPI_Recv(&y, 1, MPI_INT, self, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
}
static void again_and_again(void) { // the inner loop looks at no clock, and is short
  for (double end = now() + SECONDS; !flag && now() < end;)
    for (int old = 0, new = 0; !old; old = new, new = 1) {
      probe(&flag);
      if (flag) break;
    }
}
static double limit;
static int ends(void) {
  probe(&flag);
  return flag || now() > limit;
}
static void by_helper(void) {
  limit = now() + SECONDS;
  while (!ends()) {}
}
static void (*const loops[])(void) = {clock_of_system, time_of_day, counter, signal_jump, shared, thread_plain, seconds, again_and_again,
                                      cycles, signal_flag, thread_flag, read_pipe, by_function, variable, another_message,
                                      by_helper};

int main(int argc, char **argv) {
  int rank, size, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  last = size - 1;
  int file = open(argv[2], O_RDWR | O_CREAT, 0600);
  if (pipe(pipes) || file < 0 || (rank == 0 && (ftruncate(file, 0) || ftruncate(file, 4096)))) return 1;
  MPI_Barrier(MPI_COMM_WORLD);
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (rank < last) {
    loops[8 * atoi(argv[1]) + rank]();
    if (rank == 0) *memory = 1;
    MPI_Send(&x, 1, MPI_INT, last, 2, MPI_COMM_WORLD);
  }
  if (rank == last) { // it waits for each of them: a single loop that counted as closed would be a deadlock
    MPI_Request all[64];
    int got[64];
    for (int i = 0; i < last; i++) MPI_Irecv(&got[i], 1, MPI_INT, i, 2, MPI_COMM_WORLD, &all[i]);
    MPI_Waitall(last, all, MPI_STATUSES_IGNORE);
  }
  if (rank == last) printf("done\n");
  MPI_Finalize();
  return 0;
}
