// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank gives MPI_IN_PLACE and the other does not.
// CHECK: ==mpicc-check== ERROR [collective.in-place] only some ranks give MPI_IN_PLACE to MPI_Allgather
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[4] = {0}, one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: MPI_Allgather with a send buffer on rank 0 {{.*}}collective-in-place.c:[[#@LINE+1]] in main
  MPI_Allgather(rank ? MPI_IN_PLACE : &one, 1, MPI_INT, x, 1, MPI_INT, MPI_COMM_WORLD);
  // CHECK: rank 0: a send buffer; rank 1: MPI_IN_PLACE
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
