// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 2 waits for a message that rank 0 would send behind the barrier.
// CHECK: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Barrier on rank 0, MPI_Recv on rank 2
// CHECK-NEXT: ranks 1,3 wait in MPI_Barrier at barrier-recv.c:[[#@LINE+14]] for deadlocked ranks
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: rank 0 waits in MPI_Barrier for rank 2 barrier-recv.c:[[#@LINE+4]] in main
  // CHECK: rank 2 waits in MPI_Recv(source 0, tag 3) for rank 0 barrier-recv.c:[[#@LINE+2]] in main
  if (rank == 2)
    MPI_Recv(&y, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 4 ranks ({{[0-9,]+}} MPI calls){{$}}
