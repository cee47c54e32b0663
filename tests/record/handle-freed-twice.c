// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group is freed twice, through a copy of its handle.
// CHECK: ==mpicc-check== ERROR [handle.freed] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Group all, group, copy;
  int first = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &first, &group);
  MPI_Group_free(&all);
  copy = group;
  MPI_Group_free(&group);
  // CHECK: MPI_Group_free on rank 0 {{.*}}handle-freed-twice.c:[[#@LINE+1]] in main
  MPI_Group_free(&copy);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
