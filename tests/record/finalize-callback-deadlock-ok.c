// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One callback sends first; and rank 1 receives before MPI_Finalize what the callback of rank 0 sends.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static int at_end(MPI_Comm comm, int key, void *value, void *extra) {   // MPI-3.1 8.7.1
  int rank, x = 0;
  (void)comm, (void)key, (void)value, (void)extra;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
  MPI_Recv(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return rank == 0 ? MPI_SUCCESS : MPI_Send(&x, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int key, rank, x;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
