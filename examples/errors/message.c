// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 takes the workers' numbers in the order in which they come, and counts on that of the ranks.
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, token = 0, first, second;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("worker 1 has %d, worker 2 has %d\n", first, second);
  }
  if (rank == 2) MPI_Recv(&token, 1, MPI_INT, 1, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 50, MPI_COMM_WORLD);
  if (rank == 1) MPI_Send(&token, 1, MPI_INT, 2, 51, MPI_COMM_WORLD);
  MPI_Finalize();
}
