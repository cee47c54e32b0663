// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each receive names the worker whose number it wants.
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, token = 0, first, second;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&first, 1, MPI_INT, 1, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, 2, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("worker 1 has %d, worker 2 has %d\n", first, second);
  }
  if (rank == 2) MPI_Recv(&token, 1, MPI_INT, 1, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 50, MPI_COMM_WORLD);
  if (rank == 1) MPI_Send(&token, 1, MPI_INT, 2, 51, MPI_COMM_WORLD);
  MPI_Finalize();
}
