// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small sends are complete at once, and yet each request is to be completed (MPI-3.1 3.7.3).
// CHECK: ==mpicc-check== ERROR [request.overwritten] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y;
  MPI_Request request, kept[4];
  for (int i = 0; i < 4; i++) {
    // CHECK: MPI_Isend on rank 0 {{.*}}request-overwritten-shared.c:[[#@LINE+2]] in main
    // CHECK: overwritten {{.*}}request-overwritten-shared.c:[[#@LINE+1]] in main
    MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    kept[i] = request;
  }
  for (int i = 0; i < 4; i++) MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  (void)kept;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
