// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks give the same type.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  float part = 1.5f, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Allreduce(&part, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  else MPI_Allreduce(&part, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
