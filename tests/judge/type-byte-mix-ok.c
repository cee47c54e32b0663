// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes on both sides, and packed data, which matches anything (MPI-3.1 3.3.1).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[2] = {1, 2}, position = 0;
  char packed[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(x, sizeof x, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Pack(x, 2, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
    MPI_Send(packed, position, MPI_PACKED, 1, 1, MPI_COMM_WORLD);
  }
  if (rank == 1) {
    MPI_Recv(x, sizeof x, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(x, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
