// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sent from and received into the same element (MPI-3.1 3.10).
// CHECK: ==mpicc-check== ERROR [buffer.overlap] sendbuf and recvbuf of MPI_Sendrecv overlap, and recvbuf is written
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int numbers[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}buffer-overlap-call.c:[[#@LINE+1]] in main
  MPI_Sendrecv(numbers, 2, MPI_INT, rank, 0, numbers + 1, 2, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
