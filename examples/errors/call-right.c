// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two ints, and the program looks at the result.
#include <mpi.h>
int main(int argc, char **argv) {
  int part[2] = {1, 2}, sum[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (MPI_Allreduce(part, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_SELF)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
