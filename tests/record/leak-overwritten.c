// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only handle of a datatype is overwritten.
// CHECK: ==mpicc-check== WARNING [leak.datatype] datatype made by MPI_Type_contiguous is never freed
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype t;
  // CHECK: MPI_Type_contiguous on rank 0 {{.*}}leak-overwritten.c:[[#@LINE+1]] in main
  MPI_Type_contiguous(2, MPI_INT, &t);
  // CHECK: its variable got another handle {{.*}}leak-overwritten.c:[[#@LINE+1]] in main
  MPI_Type_vector(2, 1, 3, MPI_INT, &t);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
