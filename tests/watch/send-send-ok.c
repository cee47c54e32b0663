// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=watch_period=5 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 receives first, after a long computation.
// CHECK-DAG: done
// CHECK-DAG: no errors found
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, size;
  static char x[1 << 22], y[1 << 22];
  int other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  other = 1 - rank;
  if (rank == 1) {
    compute();
    MPI_Recv(y, sizeof y, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Send(x, sizeof x, MPI_CHAR, other, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(y, sizeof y, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
