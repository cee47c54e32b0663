// RUN: %mpicc-check %s -o %t -fopenmp -L%openmp -Wl,-rpath,%openmp
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both threads of an OpenMP team send, and nobody has asked for threads.
// CHECK: ==mpicc-check== ERROR [thread.level] MPI_Send is called by a second thread, at MPI_THREAD_SINGLE
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv) {
  int x[2] = {1, 2};
  // CHECK-NEXT: MPI_Send on rank 0 {{.*}}level-single.c:[[#@LINE+8]] in
  // CHECK: MPI_Init gave MPI_THREAD_SINGLE {{.*}}level-single.c:[[#@LINE+1]] in main
  MPI_Init(&argc, &argv);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    for (int turn = 0; turn < 2; turn++) {
      if (turn == me)
        MPI_Send(&x[me], 1, MPI_INT, MPI_PROC_NULL, me, MPI_COMM_WORLD);
#pragma omp barrier
    }
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
