// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right program; exit code 3, to be told apart from everything that the tools return themselves.
#include <mpi.h>
#include <stdio.h>
int answer(int *value);
int main(int argc, char **argv) {
  int rank, value = 41;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("answer %d\n", answer(&value));
  MPI_Finalize();
  return 3;
}
