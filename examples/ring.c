// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ring: each rank sends a number to its right neighbour. It has one mistake; docs/start.md finds and mends it.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, mine, left = -1;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  mine = 10 * rank;
  MPI_Irecv(&left, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
  MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  printf("rank %d: my left neighbour has %d\n", rank, left);
  MPI_Finalize();
  return 0;
}
