// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect 66 %mpirun-check -n 2 %t wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callback within MPI_Comm_delete_attr sends, and calls MPI_Barrier, on one rank; the other one calls it itself. That
// is not recorded, so the order of the ranks' collectives is not known.
// CHECK: ==mpicc-check== NOTE [unchecked] MPI_Send in a callback that runs within another call of MPI: not seen
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
// Without the callback it is known.
// WRONG: ERROR [collective.call]
#include <mpi.h>

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {   // MPI-3.1 6.7.2
  int x = 0;
  (void)key, (void)value, (void)extra;
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 3, comm);
  return MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int key, rank, x = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
  if (rank == 0 && argc == 1) {
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  } else if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
