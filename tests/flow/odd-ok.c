// RUN: %mpicc -O1 -pthread %s -o %t && %mpirun -n 2 %t | sort > %t.plain && %mpirun-check --flow -n 2 %t 2> %t.report | sort > %t.flow
// RUN: diff %t.plain %t.flow && FileCheck %s < %t.report
// CHECK: 0 errors, 0 warnings,
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorder does not change a program that copies in a signal handler, forks, runs another program, and calls MPI
// from several threads.
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COPIED = 1 << 16, MESSAGES = 300, BYTES = 3000, THREADS = 3 };
static char to[COPIED], from[COPIED];
static volatile sig_atomic_t nticks;
static int rank;

static void tick(int number) {
  (void)number;
  int saved = errno;
  memcpy(to, from, sizeof to);
  nticks++;
  errno = saved;
}

static void *exchange(void *argument) {
  int tag = (int)(long)argument, wrong = 0;
  char buffer[BYTES];
  for (int i = 0; i < MESSAGES; i++) {
    memset(buffer, i + tag, sizeof buffer);
    if (rank == 0) MPI_Send(buffer, BYTES, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) memset(buffer, 0, sizeof buffer);
    if (rank == 1) MPI_Recv(buffer, BYTES, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wrong += buffer[0] != (char)(i + tag) || buffer[BYTES - 1] != (char)(i + tag);
  }
  return (void *)(long)wrong;
}

static int in_child(void) {
  pid_t child = fork();
  if (child == 0) {
    char text[100];
    memcpy(text, from, sizeof text);
    memmove(text + 1, text, 50);
    _exit(text[3] == 0 ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 700}, {0, 700}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  pthread_t threads[THREADS];
  long wrong = 0;
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, exchange, (void *)i);
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  setitimer(ITIMER_REAL, &never, NULL);
  errno = 77;
  memcpy(to, from, 100);
  int kept = errno;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: %ld wrong, child %d, errno %d, shell %d\n", rank, wrong, in_child(), kept, system("exit 3") >> 8);
  MPI_Finalize();
  return 0;
}
