// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=watch_period=5 %mpirun-check -n 5 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 of the ring sends first.
// CHECK-DAG: done
// CHECK-DAG: no errors found
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    compute();
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank < 3) {
    MPI_Recv(&y, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
