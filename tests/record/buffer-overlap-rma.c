// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of a fetch is put where its operand is (MPI-3.1 11.3.4).
// CHECK: ==mpicc-check== ERROR [buffer.overlap] origin_addr and result_addr of MPI_Fetch_and_op overlap, and result_addr is written
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int *shared, one = 1, result;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &win);
  MPI_Win_lock_all(0, win);
  // CHECK: MPI_Fetch_and_op on rank 0 {{.*}}buffer-overlap-rma.c:[[#@LINE+1]] in main
  MPI_Fetch_and_op(&one, &one, MPI_INT, 0, 0, MPI_REPLACE, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  result = one;
  (void)result;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
