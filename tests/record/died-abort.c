// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 gives up.
// CHECK: ==mpicc-check== ERROR [run.died] rank 1 {{.*}}MPI_Abort
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
