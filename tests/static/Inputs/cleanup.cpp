// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warning of a call behind which an object is cleaned up.
#include <mpi.h>
#include <vector>
void share(int n) {
  std::vector<float> values(4);
  if (n > 9) MPI_Bcast(values.data(), 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
