// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks call different collectives, and both stand still.
// CHECK: ERROR [collective.call] ranks of one communicator call different collectives
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, size;
  int x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    // CHECK: MPI_Barrier on rank 0 {{.*}}mismatch.c:[[#@LINE+1]] in main
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    compute();
    // CHECK: MPI_Allreduce on rank 1 {{.*}}mismatch.c:[[#@LINE+1]] in main
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  // CHECK: collective number 1 of the communicator: rank 0 in MPI_Barrier; rank 1 in MPI_Allreduce
  // CHECK: deadlock: 2 ranks wait for each other: MPI_Barrier on rank 0, MPI_Allreduce on rank 1
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
