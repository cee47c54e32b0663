// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that may be loaded while the program runs (objects.test).
#include "helper.h"
int serve(int *value, int rank);
int serve(int *value, int rank) {
  if (rank > 100) send_result(value, rank);
  if (rank > 200) MPI_Bcast(value, -1, MPI_INT, 0, MPI_COMM_WORLD);
  return 0;
}
