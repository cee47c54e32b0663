// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>
#include <stdio.h>
void answer(int *value);
void exchange(int *value);
int main(int argc, char **argv) {
  int value, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  answer(&value);
  exchange(&value);
  if (value == 42 * size) printf("the answer is right\n");
  MPI_Finalize();
  return 0;
}
