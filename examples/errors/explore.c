// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 takes the first answer for that of worker 1, and gives up if the number is another one. In most runs worker 1
// comes first, and all is well. Only the run in which worker 2 comes first shows the error:
//
//   mpicc-check explore.c -o explore
//   mpirun-check --explore -n 3 ./explore
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, answer, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, 80, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (answer != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, 80, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 2) MPI_Recv(&token, 1, MPI_INT, 1, 81, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 80, MPI_COMM_WORLD);
  if (rank == 1) MPI_Send(&token, 1, MPI_INT, 2, 81, MPI_COMM_WORLD);
  MPI_Finalize();
}
