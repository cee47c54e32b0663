// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring of MPI_Sendrecv in which the tags do not meet.
// CHECK: ERROR [deadlock] deadlock: 3 ranks wait for each other: MPI_Sendrecv on rank 0, MPI_Sendrecv on rank 1, MPI_Sendrecv on rank 2
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y, next, last;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size, last = (rank + size - 1) % size;
  // CHECK: rank 0 waits in MPI_Sendrecv(dest 1, tag 1) for rank 2 sendrecv-ring.c:[[#@LINE+3]] in main
  // CHECK: rank 1 waits in MPI_Sendrecv(dest 2, tag 1) for rank 0 sendrecv-ring.c:[[#@LINE+2]] in main
  // CHECK: rank 2 waits in MPI_Sendrecv(dest 0, tag 1) for rank 1 sendrecv-ring.c:[[#@LINE+1]] in main
  MPI_Sendrecv(&x, 1, MPI_INT, next, 1, &y, 1, MPI_INT, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: near miss: rank {{[0-2]}} has sent rank {{[0-2]}} a message with tag 1 that is not received; rank {{[0-2]}} asks for tag 2
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
