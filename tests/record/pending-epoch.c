// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Finalize in an epoch.
// CHECK: ==mpicc-check== ERROR [init.pending-at-finalize] an epoch opened by MPI_Win_lock is not closed
// CHECK: MPI_Win_lock on rank 0 {{.*}}pending-epoch.c:18 in main
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static int x, y;
  MPI_Win win;
  // CHECK: the window was made by MPI_Win_create on rank 0 {{.*}}pending-epoch.c:[[#@LINE+1]] in main
  MPI_Win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Get(&y, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Finalize();
  return size < 1;
}
// CHECK: WARNING [leak.win]
// CHECK: ==mpicc-check== 1 error, 1 warning, 0 notes
