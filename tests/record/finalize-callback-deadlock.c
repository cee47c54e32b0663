// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A deadlock in MPI_Finalize: two callbacks wait for each other's message.
// CHECK: ==mpicc-check== ERROR [deadlock]
#include <mpi.h>

static int at_end(MPI_Comm comm, int key, void *value, void *extra) {   // MPI-3.1 8.7.1
  int rank, x = 0;
  (void)comm, (void)key, (void)value, (void)extra;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: rank 0 waits in MPI_Recv(source 1, tag 3) for rank 1 {{.*}}deadlock.c:[[#@LINE+1]] in at_end
  MPI_Recv(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Send(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int key;
  MPI_Init(&argc, &argv);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
