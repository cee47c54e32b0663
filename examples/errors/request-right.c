// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each receive has its own request, and MPI_Waitall waits for both.
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
    MPI_Irecv(numbers + 1, 1, MPI_INT, 0, 60, MPI_COMM_WORLD, request + 1);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
}
