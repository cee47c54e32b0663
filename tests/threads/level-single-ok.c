// RUN: %mpicc-check %s -o %t -fopenmp -L%openmp -Wl,-rpath,%openmp
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main thread of the OpenMP team sends; the other one computes.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv) {
  int x[2] = {1, 2};
  MPI_Init(&argc, &argv);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    for (int turn = 0; turn < 2; turn++) {
#pragma omp master
      MPI_Send(&x[turn], 1, MPI_INT, MPI_PROC_NULL, me, MPI_COMM_WORLD);
#pragma omp barrier
      x[me]++;
    }
  }
  MPI_Finalize();
  return 0;
}
