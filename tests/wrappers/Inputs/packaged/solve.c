// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>
void part(int *values);
int main(int argc, char **argv) {
  int values[2] = {0};
  MPI_Init(&argc, &argv);
  part(values);
  MPI_Bcast(values, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return values[1] != 1;
}
