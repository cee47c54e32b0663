// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A broadcast between two groups: its root, which gives MPI_ROOT, sends from its buffer (MPI-3.1 5.2.3), the other group receives.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0};
  MPI_Comm half, both;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2, 0, &both);
  MPI_Ibcast(x, 4, MPI_INT, rank == 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, both, &request);
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ibcast is sending from
  // CHECK: store by rank 0 {{.*}}buffer-between.c:[[#@LINE+1]] in main
  if (rank == 0) x[1] = 1;
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ibcast will write
  // CHECK: store by rank 2 {{.*}}buffer-between.c:[[#@LINE+1]] in main
  if (rank == 2) x[2] = 1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&both), MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors
