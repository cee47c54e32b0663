// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message is taken by a matched probe and never received.
// CHECK: ==mpicc-check== ERROR [leak.message] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0;
  MPI_Message message;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  // CHECK: MPI_Mprobe on rank 0 {{.*}}leak-message.c:[[#@LINE+1]] in main
  MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  (void)y;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
