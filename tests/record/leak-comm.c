// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A communicator is made and never freed.
// CHECK: ==mpicc-check== WARNING [leak.comm] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Comm_split on rank 0 {{.*}}leak-comm.c:[[#@LINE+1]] in main
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
