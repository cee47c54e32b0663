// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=watch_period=10 %mpirun-check -n 3 %t outside 2>&1 | FileCheck %s --implicit-check-not='{{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=watch_period=10 %mpirun-check -n 3 %t inside 2>&1 | FileCheck %s --implicit-check-not='{{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=watch_period=10 %mpirun-check -n 3 %t traced 2>&1 | FileCheck %s --implicit-check-not='{{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=watch_period=10:hang_time=1 %mpirun-check -n 3 %t outside 2>&1 | FileCheck %s --check-prefixes=NOTE,CHECK --implicit-check-not='{{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that is stopped has not waited: by SIGSTOP outside of MPI, by SIGSTOP in a call that the others wait in, by a debugger in a receive. Rank
// 0 lets it go on when the others have waited for long. A note that looks at it leaves it stopped.
// NOTE: NOTE [hang.computing] rank 1 has called no MPI function for long, and others wait
// NOTE: rank 1 is now
// CHECK: done
// CHECK: no errors found
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t was_continued;
static void on_continue(int number) { (void)number, was_continued = 1; }

static void compute(int seconds) {   // it is not rank 0 that calls nothing for long
  for (double begin = MPI_Wtime(); MPI_Wtime() - begin < seconds;) {}
}

// Rank 1's part of the reduction.
static void stop(void *in, void *out, int *n, MPI_Datatype *type) {
  (void)in, (void)out, (void)n, (void)type;
  static int is_stopped;
  if (!is_stopped++) raise(SIGSTOP);
}
static void nothing(void *in, void *out, int *n, MPI_Datatype *type) { (void)in, (void)out, (void)n, (void)type; }

int main(int argc, char **argv) {
  int rank, x = 0, y = 0, pid = (int)getpid(), is_traced, is_inside;
  MPI_Comm pair;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  is_traced = !strcmp(argv[1], "traced"), is_inside = !strcmp(argv[1], "inside");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &pair);
  MPI_Op_create(rank == 1 ? stop : nothing, 1, &op);
  signal(SIGCONT, on_continue);
  if (rank == 1) {
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    MPI_Send(&pid, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (is_traced) MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (is_inside) MPI_Allreduce(&x, &y, 1, MPI_INT, op, pair);
    else raise(SIGSTOP);
    if (!is_traced && !was_continued) printf("went on by itself\n");
    MPI_Send(&x, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
  } else if (rank == 2) {
    if (is_inside) MPI_Allreduce(&x, &y, 1, MPI_INT, op, pair);
    MPI_Recv(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&pid, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute(1);   // rank 1 comes to stand
    if (is_traced && (ptrace(PTRACE_SEIZE, pid, NULL, NULL) || ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) || waitpid(pid, NULL, __WALL) != pid)) perror("ptrace");
    compute(4);
    if (is_traced) {
      MPI_Send(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
      compute(1);   // the message is there, and nobody takes it
      ptrace(PTRACE_DETACH, pid, NULL, NULL);
    } else kill(pid, SIGCONT);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Comm_free(&pair);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
