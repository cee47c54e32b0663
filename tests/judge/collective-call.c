// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 broadcasts while rank 1 takes part in a gather; both end, for the messages are small.
// CHECK: ==mpicc-check== ERROR [collective.call] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Bcast on rank 0 {{.*}}collective-call.c:[[#@LINE+1]] in main
  if (rank == 0) MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Gather(x, 1, MPI_INT, x + 1, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
