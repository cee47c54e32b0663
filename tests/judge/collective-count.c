// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 gives less to the reduction than rank 0; both end.
// CHECK: ==mpicc-check== ERROR [collective.count] ranks give different amounts to MPI_Reduce
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[8] = {0};
  int y[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: MPI_Reduce with 4 MPI_INT on rank 0 {{.*}}collective-count.c:[[#@LINE+1]] in main
  MPI_Reduce(x, y, rank ? 2 : 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  // CHECK: collective number 1 of the communicator: rank 0: 4 MPI_INT; rank 1: 2 MPI_INT
  MPI_Finalize();
  return 0;
}
// CHECK: help: make the amount (count times datatype) the same on all ranks
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
