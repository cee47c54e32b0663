// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks are 2 numbers apart: each number is written once.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, numbers[8] = {0};
  MPI_Datatype blocks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(3, 2, 2, MPI_INT, &blocks);
  MPI_Type_commit(&blocks);
  if (rank == 0) MPI_Send(numbers, 6, MPI_INT, 1, 30, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers, 1, blocks, 0, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&blocks);
  MPI_Finalize();
}
