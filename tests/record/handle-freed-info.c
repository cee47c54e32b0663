// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of an info handle is used after the object was freed.
// CHECK: ==mpicc-check== ERROR [handle.freed] 
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info, copy;
  MPI_Info_create(&info);
  copy = info;
  MPI_Info_free(&info);
  // CHECK: MPI_Info_set on rank 0 {{.*}}handle-freed-info.c:[[#@LINE+1]] in main
  MPI_Info_set(copy, "key", "value");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
