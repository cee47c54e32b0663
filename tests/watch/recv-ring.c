// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 5 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks 0 to 2 receive in a ring before they send; 3 and 4 merely wait for them in a barrier.
// CHECK: ERROR [deadlock] deadlock: 3 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1, MPI_Recv on rank 2
// CHECK-NEXT: ranks 3,4 wait in MPI_Barrier at recv-ring.c:[[#@LINE+17]] for deadlocked ranks
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: rank 0 waits in MPI_Recv(source 2, tag 0) for rank 2 recv-ring.c:[[#@LINE+4]] in main
  // CHECK: rank 1 waits in MPI_Recv(source 0, tag 0) for rank 0 recv-ring.c:[[#@LINE+3]] in main
  // CHECK: rank 2 waits in MPI_Recv(source 1, tag 0) for rank 1 recv-ring.c:[[#@LINE+2]] in main
  if (rank < 3) {
    MPI_Recv(&y, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 5 ranks ({{[0-9,]+}} MPI calls){{$}}
