// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says "ready" and computes for ever: only a signal ends it; rank 1 of "wait deaf" by SIGKILL only.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int rank;
  (void)argv;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && rank == 1) signal(SIGTERM, SIG_IGN), signal(SIGINT, SIG_IGN);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("ready\n");
  fflush(stdout);
  for (;;) pause();
}
