// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receive buffer is smaller than the message.
// CHECK: ==mpicc-check== ERROR [message.truncated] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    // CHECK: MPI_Recv on rank 1 {{.*}}message-truncated.c:[[#@LINE+1]] in main
    MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
