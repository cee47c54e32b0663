// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nonblocking collective operation is freed (MPI-3.1 5.12).
// CHECK: ==mpicc-check== ERROR [request.free] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  // CHECK: MPI_Request_free on rank 0 {{.*}}request-free.c:[[#@LINE+1]] in main
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
