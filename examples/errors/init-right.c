// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks reach MPI_Finalize.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
}
