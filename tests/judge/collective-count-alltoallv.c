// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 3 has another count for rank 1 than rank 1 expects of it.
// CHECK: ==mpicc-check== ERROR [collective.count] what MPI_Alltoallv sends and receives differs in amount
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[64] = {0}, y[64], to[4], from[4], places[4] = {0, 16, 32, 48};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) to[i] = rank + 2 * i, from[i] = i + 2 * rank;
  if (rank == 3) to[1]--;
  // CHECK: MPI_Alltoallv on rank 3 {{.*}}collective-count-alltoallv.c:[[#@LINE+1]] in main
  MPI_Alltoallv(x, to, places, MPI_INT, y, from, places, MPI_INT, MPI_COMM_WORLD);
  // CHECK: rank 3 sends 4 MPI_INT to rank 1, which expects 5 MPI_INT
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
