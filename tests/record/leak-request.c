// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A persistent request is made, never started and never freed.
// CHECK: ==mpicc-check== ERROR [leak.request] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Send_init on rank 0 {{.*}}leak-request.c:[[#@LINE+1]] in main
  MPI_Send_init(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
