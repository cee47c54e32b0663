// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=whole_limit=0 %mpirun-check -n 2 %t 1000 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=NOTE
// RUN: env MPICC_CHECK_OPTIONS=whole_limit=0 %mpirun-check -n 2 %t 40000 2>&1 | FileCheck %s --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs that together have more than the limit do not come to one rank, and that is said.
// QUIET: WARNING [deadlock.buffering]
// CHECK: NOTE [unchecked] the logs of all ranks have {{[1-9][0-9]*}} MiB: what needs all of them at once was not looked for
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < atoi(argv[1]); i++) {
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
