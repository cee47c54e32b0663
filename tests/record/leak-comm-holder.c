// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library keeps a communicator of its own with each communicator of the program: only the program's leak is one.
// CHECK: ==mpicc-check== WARNING [leak.comm]
#include <mpi.h>
#include <stdlib.h>

static int drop(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)extra;
  MPI_Comm_free(value);
  free(value);
  return MPI_SUCCESS;
}

static void use_library(MPI_Comm comm, int key) {
  MPI_Comm *own = malloc(sizeof *own);
  MPI_Comm_dup(comm, own);
  MPI_Comm_set_attr(comm, key, own);
}

int main(int argc, char **argv) {
  int key;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
  // CHECK: MPI_Comm_dup on rank 0 {{.*}}leak-comm-holder.c:[[#@LINE+1]] in main
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  use_library(comm, key);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
