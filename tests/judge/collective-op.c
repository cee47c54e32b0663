// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks reduce with different operations.
// CHECK: ==mpicc-check== ERROR [collective.op] ranks give different operations to MPI_Allreduce
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 1, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: MPI_Allreduce with MPI_SUM on rank 0 {{.*}}collective-op.c:[[#@LINE+1]] in main
  MPI_Allreduce(&x, &y, 1, MPI_INT, rank ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
  // CHECK: collective number 1 of the communicator: rank 0: MPI_SUM; rank 1: MPI_MAX
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
