// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only its members use it.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Comm some;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &some);
  if (some != MPI_COMM_NULL) {
    MPI_Barrier(some);
    MPI_Comm_free(&some);
  }
  MPI_Finalize();
}
