// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both are freed.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static int drop(MPI_Comm comm, int key, void *value, void *extra) {   // runs in MPI_Finalize (MPI-3.1 8.7.1)
  (void)comm, (void)key, (void)extra;
  return MPI_Comm_free(value);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static MPI_Comm cached, other;
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &cached);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &cached);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
