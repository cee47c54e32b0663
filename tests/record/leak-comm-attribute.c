// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One communicator is freed by an attribute callback in MPI_Finalize, the other one by nobody.
// CHECK: ==mpicc-check== WARNING [leak.comm] 
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
  // CHECK: MPI_Comm_dup on rank 0 {{.*}}leak-comm-attribute.c:[[#@LINE+1]] in main
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
