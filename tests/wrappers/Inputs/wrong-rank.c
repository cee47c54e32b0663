// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error on the spot: a send to a rank that does not exist.
#include <mpi.h>
int main(int argc, char **argv) {
  int value = 0, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Send(&value, 1, MPI_INT, size + 7, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
