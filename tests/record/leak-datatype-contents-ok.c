// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is freed.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int i[2];
  MPI_Aint a[1];
  MPI_Datatype row, rows, inner[1];
  MPI_Type_contiguous(3, MPI_INT, &row);
  MPI_Type_contiguous(2, row, &rows);
  MPI_Type_get_contents(rows, 1, 0, 1, i, a, inner);
  MPI_Type_free(&inner[0]);
  MPI_Type_get_contents(row, 1, 0, 1, i, a, inner);
  MPI_Type_free(&row), MPI_Type_free(&rows);
  MPI_Finalize();
  return 0;
}
