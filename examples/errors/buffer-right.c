// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number is changed when MPI_Wait says that the send is complete.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, number = 1;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Isend(&number, 1, MPI_INT, 1, 20, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    number = 2;
  }
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
