// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operation is made and never freed.
// CHECK: ==mpicc-check== WARNING [leak.op] 
#include <mpi.h>

static void first(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((int *)inout)[i] = ((int *)in)[i];
}

int main(int argc, char **argv) {
  int rank;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Op_create on rank 0 {{.*}}leak-op.c:[[#@LINE+1]] in main
  MPI_Op_create(first, 0, &op);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
