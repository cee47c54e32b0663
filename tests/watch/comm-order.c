// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 takes the two communicators in another order than rank 1 (MPI-3.1 5.13).
// CHECK: ERROR [collective.comm-order] 2 ranks wait for each other in collectives of different communicators:
// CHECK-SAME: {{^}} MPI_Barrier on rank 0
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm a, b;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_dup(MPI_COMM_WORLD, &b);
  // CHECK: rank 0 waits in MPI_Barrier on the communicator of MPI_Comm_{{[a-z]+}} at comm-order.c:{{[0-9]+}} for rank 1 {{.*}}comm-order.c:[[#@LINE+1]] in main
  MPI_Barrier(rank == 0 ? a : b);
  MPI_Barrier(rank == 0 ? b : a);
  MPI_Comm_free(&a);
  MPI_Comm_free(&b);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
