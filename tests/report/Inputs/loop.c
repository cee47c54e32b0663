// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the communicators of the loop the ranks wait for depends on how many ranks there are.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Comm comms[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 8; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  MPI_Barrier(comms[size - 1 - (rank > 0)]);
  MPI_Finalize();
}
