// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callback within MPI_Comm_delete_attr sends. That is not recorded, so nothing is said of the receive.
// CHECK: ==mpicc-check== NOTE [unchecked] MPI_Send in a callback that runs within another call of MPI: not seen
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
#include <mpi.h>

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {   // MPI-3.1 6.7.2
  int rank, x = 0;
  (void)key, (void)value, (void)extra;
  MPI_Comm_rank(comm, &rank);
  return rank ? MPI_SUCCESS : MPI_Send(&x, 1, MPI_INT, 1, 3, comm);
}

int main(int argc, char **argv) {
  int key, rank, x;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
