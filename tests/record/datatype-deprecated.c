// RUN: %mpicc-check -Wno-deprecated-declarations %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that MPI has given up.
// CHECK: ==mpicc-check== NOTE [datatype.deprecated] MPI_Address was removed from MPI by MPI-3.0: use MPI_Get_address
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x;
  MPI_Aint at;
  // CHECK: MPI_Address on rank 0 {{.*}}datatype-deprecated.c:[[#@LINE+1]] in main
  MPI_Address(&x, &at);
  int *value, flag;
  // CHECK: NOTE [datatype.deprecated] MPI_Attr_get is deprecated since MPI-2.0: use MPI_Comm_get_attr
  // CHECK: MPI_Attr_get on rank 0 {{.*}}datatype-deprecated.c:[[#@LINE+1]] in main
  MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 2 notes
