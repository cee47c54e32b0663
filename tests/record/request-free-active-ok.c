// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A send is: that is usual, where the answer tells that it arrived (MPI-3.1 3.7.3).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);
  MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
