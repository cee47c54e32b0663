// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 6 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same exchange between three pairs of ranks is one finding.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Send on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y, other = rank ^ 1;
  MPI_Send(&x, 1, MPI_INT, other, 5, MPI_COMM_WORLD);
  MPI_Recv(&y, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 6 ranks ({{[0-9,]+}} MPI calls){{$}}
