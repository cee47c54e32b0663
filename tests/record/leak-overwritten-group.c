// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that overwrites the handle of a group.
// CHECK: ==mpicc-check== WARNING [leak.group] group made by MPI_Group_incl is never freed
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group all, one;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  // CHECK: MPI_Group_incl on rank 0 {{.*}}leak-overwritten-group.c:[[#@LINE+1]] in main
  for (int i = 0; i < 2; i++) MPI_Group_incl(all, 1, &i, &one);
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Finalize();
  return size < 1;
}
// CHECK: its variable got another handle
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
