// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three ranks in a ring, messages of three sizes: the smallest decides.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 3 ranks wait for each other: MPI_Send on rank 0, MPI_Send on rank 1, MPI_Send on rank 2
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char x[3000] = {0}, y[3000];
  int sizes[3] = {3000, 40, 700};
  MPI_Send(x, sizes[rank], MPI_CHAR, (rank + 1) % 3, 5, MPI_COMM_WORLD);
  MPI_Recv(y, 3000, MPI_CHAR, (rank + 2) % 3, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: the smallest message on the cycle has 40 bytes
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
