// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Sendrecv does both at once.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, size, mine, left;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  mine = rank;
  MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 40, &left, 1, MPI_INT, (rank + size - 1) % size, 40,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
