// RUN: %mpicc-check -fopenmp %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same as level-masked.c, but the inner region belongs to the main thread.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
      MPI_Barrier(MPI_COMM_SELF);
    }
  }
  MPI_Finalize();
  return 0;
}
