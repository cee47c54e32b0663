// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Comm_split gives MPI_COMM_NULL to the ranks that are to be in no communicator. They use it all the same.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Comm some;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &some);
  MPI_Barrier(some);
  if (rank < 2) MPI_Comm_free(&some);
  MPI_Finalize();
}
