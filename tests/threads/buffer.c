// RUN: %mpicc-check -fopenmp %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread of OpenMP receives, another one reads the buffer, below MPI_THREAD_SERIALIZED. Nothing orders the two.
// CHECK: ==mpicc-check== ERROR [thread.buffer] load from a buffer that MPI_Recv of another thread writes
#include <mpi.h>
#include <omp.h>

static int halo[16], sum;

int main(int argc, char **argv) {
  int level, data[16] = {0};
  MPI_Request request;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Isend(data, 16, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  // CHECK-NEXT: MPI_Recv on rank 0 by OpenMP thread 0 of 2 {{.*}}buffer.c:[[#@LINE+5]] in main{{$}}
  // CHECK: load by OpenMP thread 1 of 2 {{.*}}buffer.c:[[#@LINE+5]] in main{{$}}
#pragma omp parallel num_threads(2)
  {
#pragma omp masked
    MPI_Recv(halo, 16, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (omp_get_thread_num() == 1) sum = halo[3];
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return sum;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
