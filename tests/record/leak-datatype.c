// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A datatype is made and never freed.
// CHECK: ==mpicc-check== WARNING [leak.datatype] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Type_vector on rank 0 {{.*}}leak-datatype.c:[[#@LINE+1]] in main
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &type);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
