// RUN: %mpicc-check -w %s -o %t
// RUN: not %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that is too short for what may come is a warning; what came was too long, and the process crashed: an error.
// CHECK: ==mpicc-check== ERROR [arg.memory-room] buf of MPI_Recv: 16777216 bytes at {{.*}} of 64 bytes
#include <mpi.h>
#include <stdlib.h>

enum { SIZE = 1 << 24 };
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Send(calloc(SIZE, 1), SIZE, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  // CHECK-NEXT: MPI_Recv on rank 0 {{.*}}memory-room-crash.c:[[#@LINE+1]] in main
  if (rank == 0) MPI_Recv(malloc(64), SIZE, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK-NEXT: rank 0 crashed in this call (SIG{{SEGV|ABRT|BUS}})
  MPI_Finalize();
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
