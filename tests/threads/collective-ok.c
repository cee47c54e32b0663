// RUN: %mpicc-check -fopenmp %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same as collective.c, but a barrier of the team orders the two threads.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv) {
  int level, x = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
    if (omp_get_thread_num() == 1) MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
