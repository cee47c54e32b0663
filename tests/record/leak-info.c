// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An info object is made and never freed.
// CHECK: ==mpicc-check== WARNING [leak.info] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  // CHECK: MPI_Info_create on rank 0 {{.*}}leak-info.c:[[#@LINE+1]] in main
  MPI_Info_create(&info);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
