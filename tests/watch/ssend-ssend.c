// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both ranks send synchronously before they receive.
// CHECK: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Ssend on rank 0, MPI_Ssend on rank 1
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y, other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  other = 1 - rank;
  // CHECK: rank 0 waits in MPI_Ssend(dest 1, tag 0) for rank 1 ssend-ssend.c:[[#@LINE+2]] in main
  // CHECK: rank 1 waits in MPI_Ssend(dest 0, tag 0) for rank 0 ssend-ssend.c:[[#@LINE+1]] in main
  MPI_Ssend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  MPI_Recv(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: help: let some of them receive first
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
