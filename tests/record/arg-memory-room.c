// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives with room for more than there is memory; what comes is short enough. Nothing is said of accesses behind the variable.
#include <mpi.h>

int main(int argc, char **argv) {
  int one = 1;
  struct { int x[4], other; } s = {{0}, 0};
  int small[4];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  // CHECK: WARNING [arg.memory-room] buf of MPI_Irecv: 400 bytes at offset 0 of the variable small of 16 bytes
  // CHECK-NEXT: MPI_Irecv on rank 0 {{.*}}arg-memory-room.c:[[#@LINE+1]] in main
  MPI_Irecv(small, 100, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  s.other = 2;
  MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return small[0] != 1 || s.other != 2;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
