// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A negative size, or a part that reaches out of its whole.
// CHECK: ==mpicc-check== ERROR [arg.size] start_array[1] of MPI_Type_create_subarray is 5: the subarray reaches out of the array
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int sizes[2] = {8, 8}, subsizes[2] = {4, 4}, starts[2] = {4, 5};
  MPI_Datatype type;
  // CHECK: MPI_Type_create_subarray on rank 0 {{.*}}arg-size.c:[[#@LINE+1]] in main
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
