// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It stops when it is there or beyond.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  volatile double position = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    while (position < 1.0) position += 0.1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
