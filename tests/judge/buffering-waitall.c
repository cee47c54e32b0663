// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All sends are completed before the first receive.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 3 ranks wait for each other: MPI_Waitall on rank 0, MPI_Waitall on rank 1, MPI_Waitall on rank 2
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y[3];
  MPI_Request requests[6];
  int n = 0;
  for (int r = 0; r < size; r++)
    if (r != rank) MPI_Isend(&x, 1, MPI_INT, r, 5, MPI_COMM_WORLD, &requests[n++]);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  for (int r = 0; r < size; r++)
    if (r != rank) MPI_Recv(&y[r], 1, MPI_INT, r, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
