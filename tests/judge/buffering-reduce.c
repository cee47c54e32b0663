// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The root need not make the others wait in a reduction, but may (MPI-3.1 5.14).
// CHECK: WARNING [deadlock.collective] deadlock if collectives synchronize and standard sends are not buffered: 2 ranks
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  if (rank == 0) MPI_Send(x, 1, MPI_INT, other, 5, MPI_COMM_WORLD);
  MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: here a collective returned before all ranks had called it
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
