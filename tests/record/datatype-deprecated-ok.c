// RUN: %mpicc-check -Wno-deprecated-declarations %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of datatype-deprecated.c.
// CHECK: ==mpicc-check== no errors found
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x;
  MPI_Aint at;
  MPI_Get_address(&x, &at);
  int *value, flag;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  MPI_Finalize();
  return size < 1;
}
