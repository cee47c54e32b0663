// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One request variable for two receives. MPI_Wait waits for the second one only.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, numbers[2] = {1, 2};
  MPI_Request request[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(numbers, 1, MPI_INT, 1, 60, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(numbers + 1, 1, MPI_INT, 1, 60, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(numbers, 1, MPI_INT, 0, 60, MPI_COMM_WORLD, request);
    MPI_Irecv(numbers + 1, 1, MPI_INT, 0, 60, MPI_COMM_WORLD, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
