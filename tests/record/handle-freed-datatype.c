// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of the handle outlives the datatype.
// CHECK: ==mpicc-check== ERROR [handle.freed] type of MPI_Type_size
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int size;
  MPI_Datatype type, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(3, MPI_INT, &type);
  copy = type;
  MPI_Type_free(&type);
  // CHECK: MPI_Type_size on rank 0 {{.*}}handle-freed-datatype.c:[[#@LINE+1]] in main
  MPI_Type_size(copy, &size);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
