// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pointer leads somewhere.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, number = 5, *volatile place = &number;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) number = *place;
  if (rank == 1) MPI_Send(&number, 1, MPI_INT, 0, 70, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&number, 1, MPI_INT, 1, 70, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
