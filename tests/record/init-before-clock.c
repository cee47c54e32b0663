// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock of MPI before MPI_Init (MPI-3.1 8.7). The program goes on, so that the one report has it.
#include <mpi.h>

int main(int argc, char **argv) {
  // CHECK: ==mpicc-check== ERROR [init.before] MPI_Wtime is called before MPI_Init
  // CHECK: MPI_Wtime {{.*}}init-before-clock.c:[[#@LINE+1]] in main
  double seconds = MPI_Wtime();
  MPI_Init(&argc, &argv);
  seconds = MPI_Wtime() - seconds;
  MPI_Finalize();
  return seconds < 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in
