// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Type_get_contents gives derived types that are to be freed (MPI-3.1 4.1.13).
// CHECK: ==mpicc-check== WARNING [leak.datatype] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int i[2];
  MPI_Aint a[1];
  MPI_Datatype row, rows, inner[1];
  MPI_Type_contiguous(3, MPI_INT, &row);
  MPI_Type_contiguous(2, row, &rows);
  // CHECK: MPI_Type_get_contents on rank 0 {{.*}}leak-datatype-contents.c:[[#@LINE+1]] in main
  MPI_Type_get_contents(rows, 1, 0, 1, i, a, inner);
  MPI_Type_free(&row), MPI_Type_free(&rows);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
