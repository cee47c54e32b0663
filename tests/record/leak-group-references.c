// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The group of a communicator is got twice and freed once: the place that frees is not the one that leaks.
// CHECK: ==mpicc-check== WARNING [leak.group] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Group kept, other;
  // CHECK: MPI_Comm_group on rank 0 {{.*}}leak-group-references.c:[[#@LINE+1]] in main
  MPI_Comm_group(MPI_COMM_WORLD, &kept);
  for (int i = 0; i < 3; i++) {
    MPI_Comm_group(MPI_COMM_WORLD, &other);
    MPI_Group_free(&other);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
