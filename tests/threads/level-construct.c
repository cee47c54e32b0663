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
#include <stdatomic.h>

#define PRAGMA(text) _Pragma(#text)
#define OMP(text) PRAGMA(omp text)
#define IS_single 1
#define IS_masked 0
#define IS(construct) IS_##construct
#define IS_SINGLE(construct) IS(construct)
static int rank;
static atomic_int begun;

static void exchange(int turn) {
  int in = 0;
  begun = turn;
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
  for (int turn = 1; turn < 3; turn++) {
    // Rank 0's main thread comes first, and rank 1's other one.
    while (IS_SINGLE(CONSTRUCT) && omp_get_thread_num() != rank && begun < turn) {}
    OMP(CONSTRUCT)
    exchange(turn);
#pragma omp barrier
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
