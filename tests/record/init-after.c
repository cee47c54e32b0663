// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call after MPI_Finalize; MPI ends the program in it.
// CHECK: ==mpicc-check== ERROR [init.after] MPI_Comm_size
#include <mpi.h>

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  // CHECK: MPI_Comm_size {{.*}}init-after.c:[[#@LINE+1]] in main
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
