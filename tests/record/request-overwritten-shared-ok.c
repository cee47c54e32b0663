// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of the handles are kept, and completed.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Request request, kept[4];
  for (int i = 0; i < 4; i++) {
    MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    kept[i] = request;
  }
  MPI_Waitall(4, kept, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 4; i++) MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
