// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_ERRORS_RETURN: calls return their errors. MPI_SUM cannot add MPI_2INT; nobody looks, and the sum is not there.
#include <mpi.h>
int main(int argc, char **argv) {
  int part[2] = {1, 2}, sum[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Allreduce(part, sum, 1, MPI_2INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Finalize();
}
