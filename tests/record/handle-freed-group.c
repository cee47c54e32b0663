// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who asks for a communicator's group twice has two groups, though their handles may be equal: both are freed, then one is used.
// CHECK: ==mpicc-check== ERROR [handle.freed] group of MPI_Group_size is a group that was freed before
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Group first, second, copy;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_group(MPI_COMM_WORLD, &first);
  MPI_Comm_group(MPI_COMM_WORLD, &second);
  copy = second;
  MPI_Group_free(&first);
  MPI_Group_free(&second);
  // CHECK: MPI_Group_size on rank 0 {{.*}}handle-freed-group.c:[[#@LINE+1]] in main
  MPI_Group_size(copy, &size);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
