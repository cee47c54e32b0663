// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The receive says 8 numbers, but there is room for 4 only. It works as long as no longer message comes.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, numbers[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(numbers, 4, MPI_INT, 1, 10, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers, 8, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
