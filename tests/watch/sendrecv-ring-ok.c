// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=watch_period=5 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tags meet.
// CHECK-DAG: done
// CHECK-DAG: no errors found
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y, next, last;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size, last = (rank + size - 1) % size;
  if (rank == 1) compute();
  MPI_Sendrecv(&x, 1, MPI_INT, next, 1, &y, 1, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
