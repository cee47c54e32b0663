// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is freed before MPI_Finalize.
// CHECK: ==mpicc-check== no errors found
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
  MPI_Op_create(first, 0, &op);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
