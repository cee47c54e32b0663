// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group is made and never freed.
// CHECK: ==mpicc-check== WARNING [leak.group] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Group group;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Comm_group on rank 0 {{.*}}leak-group.c:[[#@LINE+1]] in main
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
