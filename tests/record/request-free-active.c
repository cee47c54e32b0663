// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A receive under way is freed: nobody knows when its data is there.
// CHECK: ==mpicc-check== WARNING [request.free-active] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0;
  MPI_Request request;
  MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  // CHECK: MPI_Request_free on rank 0 {{.*}}request-free-active.c:[[#@LINE+1]] in main
  MPI_Request_free(&request);
  MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
