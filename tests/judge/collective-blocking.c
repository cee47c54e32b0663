// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank calls the nonblocking barrier and the other the blocking one: they do not match (MPI-3.1 5.12).
// CHECK: ==mpicc-check== ERROR [collective.blocking] MPI_Barrier on some ranks, its nonblocking twin on others
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank) {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    // CHECK: MPI_Barrier on rank 0 {{.*}}collective-blocking.c:[[#@LINE+1]] in main
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
