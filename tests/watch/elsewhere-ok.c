// RUN: %mpicc-check %s -o %t && rm -f %t.fifo && mkfifo %t.fifo
// RUN: env MPICC_CHECK_OPTIONS=watch_period=10 %mpirun-check -n 5 %t %t.fifo 2>&1 | FileCheck %s --implicit-check-not='{{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks 0 to 3 are not in MPI for long: one computes and then writes what another reads from a pipe, one sleeps. All wait for them, some in a circle
// that they alone can open.
// CHECK: done
// CHECK: no errors found
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, x = 0;
  char c = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    int fd = open(argv[1], O_WRONLY);
    compute(), compute();
    if (fd < 0 || write(fd, &c, 1) != 1) return 1;
    close(fd);
    MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    int fd = open(argv[1], O_RDONLY);
    if (fd < 0 || read(fd, &c, 1) != 1) return 1;
    close(fd);
    MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 2) sleep(1);
  else if (rank == 3) compute();
  if (rank < 4) MPI_Ssend(&x, 1, MPI_INT, 4, 1, MPI_COMM_WORLD);
  for (int i = 0; rank == 4 && i < 4; i++) MPI_Recv(&x, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
