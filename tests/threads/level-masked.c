// RUN: %mpicc-check -fopenmp %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_THREAD_FUNNELED: masked is thread 0 of the innermost region, which need not be the main thread.
// CHECK: ==mpicc-check== ERROR [thread.level] MPI_Barrier is called by another thread than the main one,
// CHECK-SAME: at MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
      // CHECK-NEXT: MPI_Barrier on rank 0 {{.*}}level-masked.c:[[#@LINE+1]] in main
      MPI_Barrier(MPI_COMM_SELF);
    }
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
