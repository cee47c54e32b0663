// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes are of the data, not of what they span.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Send on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[400] = {0}, y[400], other = 1 - rank;
  MPI_Datatype column;
  MPI_Type_vector(10, 3, 40, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Send(x, 1, column, other, 5, MPI_COMM_WORLD);
  MPI_Recv(y, 1, column, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: the smallest message on the cycle has 120 bytes
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
