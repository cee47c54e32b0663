// RUN: %mpicc-check %s -o %t
// RUN: not %mpirun-check -n 3 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user ends the run: rank 1 signals mpirun-check, the parent of mpirun, when the others have left their last call.
// That is no error of the program; one note says where the ranks were.
// CHECK: ==mpicc-check== NOTE [run.ended] the run was ended from outside, before the program had ended
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void end_run(void) {
  char path[64], line[256];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)getppid());
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "PPid: %d", &parent) == 1) break;
  if (file) fclose(file);
  if (parent > 1) kill(parent, SIGTERM);
}

int main(int argc, char **argv) {
  sigset_t ready;
  int rank, pid = (int)getpid();
  sigemptyset(&ready);
  sigaddset(&ready, SIGRTMIN); // it is queued: two of them are two
  sigprocmask(SIG_BLOCK, &ready, NULL);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    // CHECK-NEXT: ranks 0,2 were here, after MPI_Bcast of run-ended.c:[[#@LINE+8]] {{.*}}:[[#@LINE+11]] in main
    // CHECK-NEXT: rank 1 was here, after MPI_Bcast of run-ended.c:[[#@LINE+1]] {{.*}}run-ended.c:{{[0-9]+}} in {{.*}}
    MPI_Bcast(&pid, 1, MPI_INT, 1, MPI_COMM_WORLD);
    sigwaitinfo(&ready, NULL);
    sigwaitinfo(&ready, NULL);
    end_run();
  } else {
    union sigval none = {0};
    MPI_Bcast(&pid, 1, MPI_INT, 1, MPI_COMM_WORLD);
    sigqueue(pid, SIGRTMIN, none);
  }
  for (;;) pause();
}
// CHECK-NEXT: help: nothing to mend
// CHECK-NEXT: ==mpicc-check== 0 errors, 0 warnings, 1 note in {{.*}} on 3 ranks
