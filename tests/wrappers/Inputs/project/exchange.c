// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>
void exchange(int *value) {
  int sum;
  MPI_Allreduce(value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  *value = sum;
}
