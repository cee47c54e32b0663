// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_IN_PLACE on all ranks, on the root only where that is right, and on some ranks of a scan.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[4] = {0}, one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, x, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Gather(rank ? &one : MPI_IN_PLACE, 1, MPI_INT, x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatter(x, 1, MPI_INT, rank ? &one : MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(rank ? &one : MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Scan(rank ? &one : MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
