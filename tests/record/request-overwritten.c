// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two receives are started with one variable: nobody can complete the first one.
// CHECK: ==mpicc-check== ERROR [request.overwritten] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x[2] = {1, 2}, y[2];
  MPI_Request request[2];
  // CHECK: MPI_Irecv on rank 0 {{.*}}request-overwritten.c:[[#@LINE+2]] in main
  // CHECK: overwritten {{.*}}request-overwritten.c:[[#@LINE+2]] in main
  MPI_Irecv(&y[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[0]);
  MPI_Irecv(&y[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request[0]);
  MPI_Send(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Send(&x[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  (void)request[1];
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
