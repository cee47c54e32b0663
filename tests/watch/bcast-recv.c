// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 waits for a broadcast whose root waits for a message of rank 1.
// CHECK: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Bcast on rank 1
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    // CHECK: rank 0 waits in MPI_Recv(source 1, tag 0) for rank 1 bcast-recv.c:[[#@LINE+1]] in main
    MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  // CHECK: rank 1 waits in MPI_Bcast(root 0) for rank 0 bcast-recv.c:[[#@LINE+1]] in main
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
