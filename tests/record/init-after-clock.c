// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock of MPI after MPI_Finalize: it is none of the functions that may be called then (MPI-3.1 8.7). A place that
// is reached several times is printed once.
#include <mpi.h>

int main(int argc, char **argv) {
  double seconds = 0;
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  // CHECK: ==mpicc-check== ERROR [init.after] MPI_Wtime is called after MPI_Finalize
  // CHECK: MPI_Wtime {{.*}}init-after-clock.c:[[#@LINE+1]] in main
  for (int i = 0; i < 3; i++) seconds += MPI_Wtime();
  // CHECK: ==mpicc-check== ERROR [init.after] MPI_Wtick is called after MPI_Finalize
  // CHECK: MPI_Wtick {{.*}}init-after-clock.c:[[#@LINE+1]] in main
  seconds += MPI_Wtick();
  return seconds < 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
