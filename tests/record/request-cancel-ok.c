// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is active.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0;
  MPI_Request request;
  MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  (void)x;
  MPI_Start(&request);
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
