// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of datatype-overlap-parts.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {rank, rank}, y[8] = {0}, counts[2] = {2, 2};
  int displs[2] = {2, 0}, same[2] = {0, 0}, none[2] = {2, 0};
  MPI_Gatherv(x, 2, MPI_INT, y, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
  // Nothing is put where the second part would be.
  MPI_Gatherv(x, rank ? 0 : 2, MPI_INT, y, none, same, MPI_INT, 0, MPI_COMM_WORLD);
  // What lies in place is not written.
  int at_zero[2] = {0, 0};
  MPI_Gatherv(rank ? x : MPI_IN_PLACE, 2, MPI_INT, y, counts, at_zero, MPI_INT, 0, MPI_COMM_WORLD);
  // The same values sent to all, from overlapping parts.
  int parts[2] = {0, 1};
  MPI_Alltoallv(y, counts, parts, MPI_INT, y + 4, counts, displs, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return size < 1;
}
