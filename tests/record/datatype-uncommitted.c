// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A datatype that was not committed.
// CHECK: ==mpicc-check== ERROR [datatype.uncommitted] sendtype of MPI_Sendrecv is a datatype that was not committed
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x[4] = {0}, y[4];
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}datatype-uncommitted.c:[[#@LINE+1]] in main
  MPI_Sendrecv(x, 1, pair, rank, 0, y, 2, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
