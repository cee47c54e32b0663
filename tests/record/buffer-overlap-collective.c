// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nonblocking reduction is under way while its result is sent.
// CHECK: ==mpicc-check== ERROR [buffer.overlap] sendbuf of MPI_Sendrecv is read from a buffer that a pending MPI_Iallreduce will write
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int number = 1, sum, copy;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Iallreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}buffer-overlap-collective.c:[[#@LINE+1]] in main
  MPI_Sendrecv(&sum, 1, MPI_INT, rank, 0, &copy, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
