// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI is initialized twice; Open MPI ends the program in the second call.
// CHECK: ==mpicc-check== ERROR [init.twice] MPI_Init
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  // CHECK: MPI_Init {{.*}}init-twice.c:[[#@LINE+1]] in main
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
