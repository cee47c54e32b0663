// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says "ready" and computes for ever: only a signal ends it.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("ready\n");
  fflush(stdout);
  for (;;) pause();
}
