// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 dies by the signal in argv[1] after a few calls; rank 0 waits in a barrier.
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && argc > 1) raise(atoi(argv[1]));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
