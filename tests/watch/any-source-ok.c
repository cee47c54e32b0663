// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=watch_period=5 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 2 sends to both others, after a long computation.
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
  if (rank == 2) {
    compute();
    for (int to = 0; to < 2; to++) MPI_Send(&x, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
