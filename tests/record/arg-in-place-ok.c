// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of arg-in-place.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x = rank, sum = 0;
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  int xs[2] = {1, 2};   // on two ranks
  MPI_Reduce_scatter_block(MPI_IN_PLACE, xs, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return size < 1;
}
