// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 leaves early, without MPI_Finalize. mpirun ends the others.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) return 0;
  MPI_Finalize();
}
