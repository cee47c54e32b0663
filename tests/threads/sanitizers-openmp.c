// Where a sanitizer takes pthread_create and OpenMP's library tells nothing, its threads look like the program's, and no
// order of them is known: this right program is not reported.
// RUN: %mpicc-check -fopenmp -fsanitize=thread %s -o %t.thread
// RUN: env TSAN_OPTIONS=report_bugs=0 %mpirun-check -n 1 %t.thread 2>&1 | FileCheck %s --implicit-check-not='ERROR ['
// RUN: %mpicc-check -fopenmp -fsanitize=address %s -o %t.address
// RUN: env ASAN_OPTIONS=detect_leaks=0 OMP_TOOL=disabled %mpirun-check -n 1 %t.address 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='ERROR ['
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CHECK: the order of OpenMP's threads is not known
// CHECK: ==mpicc-check== 0 errors, 0 warnings
#include <mpi.h>

int main(int argc, char **argv) {
  int level, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    int tag, in;
    MPI_Request request;
#pragma omp critical
    tag = level++;
    MPI_Irecv(&in, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += in;
  }
  MPI_Finalize();
  return sum == 0;
}
