// RUN: %mpicc-check -O0 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message is received into a string literal, through a pointer.
// CHECK: ==mpicc-check== ERROR [arg.memory] buf of MPI_Recv is in memory that cannot be written
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  char *text = "text", *room = (char[5]){0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend("abcd", 5, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &request);
  // CHECK: MPI_Recv on rank 0 {{.*}}arg-memory-literal.c:[[#@LINE+1]] in main
  MPI_Recv(text, 5, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
