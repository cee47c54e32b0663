// All ranks wait in a ring. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

static void wait_for(int other) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  wait_for((rank + 1) % size);
  MPI_Finalize();
  return 0;
}
