// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of MPI is allocated and never freed.
// CHECK: ==mpicc-check== WARNING [leak.alloc-mem] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  void *memory;
  // CHECK: MPI_Alloc_mem on rank 0 {{.*}}leak-alloc-mem.c:[[#@LINE+1]] in main
  MPI_Alloc_mem(100, MPI_INFO_NULL, &memory);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
