// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | grep "==mpicc-check== no errors found"
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counts fit.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, counts[3] = {10, 10, 10}, starts[3] = {0, 10, 20};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *own = calloc(10, sizeof *own), *all = calloc(30, sizeof *all);
  MPI_Bcast(own, 10, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gatherv(own, 10, MPI_INT, all, counts, starts, MPI_INT, 0, MPI_COMM_WORLD);
  free(own);
  free(all);
  MPI_Finalize();
}
