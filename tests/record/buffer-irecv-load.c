// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receive's buffer is read before the receive is complete.
// CHECK: ==mpicc-check== ERROR [buffer.read-in-use] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x = 1, y = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    // CHECK: load by rank 0 {{.*}}buffer-irecv-load.c:[[#@LINE+1]] in main
    y = x + 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize() + (y < 0);
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
