// RUN: %mpicc-check -fopenmp %s -o %t -DCONSTRUCT=single
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// RUN: %mpicc-check -fopenmp %s -o %t.masked -DCONSTRUCT=masked
// RUN: %mpirun-check -n 2 %t.masked 2>&1 | FileCheck %s --check-prefix=MASKED
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_THREAD_FUNNELED: which thread executes a single construct is luck, so it is told also of the main thread, with
// the same words. A team of one thread has no other, and masked is the main thread. CHECK: ==mpicc-check== ERROR
// [thread.level] MPI_Sendrecv is called in a single construct, which any thread may execute, CHECK-SAME: at
// MPI_THREAD_FUNNELED MASKED: ==mpicc-check== no errors found
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#define PRAGMA(text) _Pragma(#text)
#define OMP(text) PRAGMA(omp text)
static int rank;

static void exchange(int turn) {
  int in = 0;
  // CHECK: on ranks 0,1, 4 times
  // CHECK-NEXT: MPI_Sendrecv on rank {{[01]}} {{.*}}level-construct.c:[[#@LINE+1]] in exchange
  MPI_Sendrecv(&turn, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(1)
#pragma omp single
  exchange(0);
#pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 2; turn++) {
    // Rank 0's main thread comes first.
    if (omp_get_thread_num() != rank) usleep(20000);
    OMP(CONSTRUCT)
    exchange(turn);
#pragma omp barrier
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
