// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 100 steps fit into any log, and the message is received.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, size;
  int number = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int step = 0; step < 100; step++)
    MPI_Sendrecv_replace(&number, 1, MPI_INT, (rank + 1) % size, 100, (rank + size - 1) % size, 100, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 101, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
