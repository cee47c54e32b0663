// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A persistent request is cancelled that is not active.
// CHECK: ==mpicc-check== ERROR [request.cancel] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0;
  MPI_Request request;
  MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  (void)x;
  // CHECK: MPI_Cancel on rank 0 {{.*}}request-cancel.c:[[#@LINE+1]] in main
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
