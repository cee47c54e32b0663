// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_IN_PLACE where it may not stand.
// CHECK: ==mpicc-check== ERROR [arg.in-place] sendbuf of MPI_Reduce is MPI_IN_PLACE, which it may be at the root only
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x = rank, sum = 0;
  // CHECK: MPI_Reduce on rank 0 {{.*}}arg-in-place.c:[[#@LINE+1]] in main
  MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 1 - rank, MPI_COMM_WORLD);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
