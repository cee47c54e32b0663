// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One request is waited for twice in one call.
// CHECK: ==mpicc-check== ERROR [request.double-completion] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x = 1, y, z;
  MPI_Request requests[2];
  MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  requests[1] = requests[0];
  // CHECK: MPI_Waitall on rank 0 {{.*}}request-double-completion.c:[[#@LINE+1]] in main
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  (void)z;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
