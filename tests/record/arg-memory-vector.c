// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A column of one row more than the matrix has.
// CHECK: ==mpicc-check== ERROR [arg.memory] sendbuf of MPI_Sendrecv: 808 bytes at offset 72 of a heap block of 800 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  double (*matrix)[10] = calloc(10, sizeof *matrix), copy[16];
  MPI_Datatype column;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(11, 1, 10, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-memory-vector.c:[[#@LINE+1]] in main
  MPI_Sendrecv(&matrix[0][9], 1, column, rank, 0, copy, 11, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
  free(matrix);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
