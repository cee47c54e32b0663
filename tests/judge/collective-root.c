// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank broadcasts from itself; both end, for the messages are small.
// CHECK: ==mpicc-check== ERROR [collective.root] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Bcast with root 0 on rank 0 {{.*}}collective-root.c:[[#@LINE+1]] in main
  MPI_Bcast(&x, 1, MPI_INT, rank, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
