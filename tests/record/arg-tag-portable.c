// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tag that other MPIs may not have.
// CHECK: ==mpicc-check== WARNING [arg.tag-portable] sendtag of MPI_Sendrecv is above 32767: other MPIs may not have it
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x = 1, y;
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-tag-portable.c:[[#@LINE+1]] in main
  MPI_Sendrecv(&x, 1, MPI_INT, rank, 40000, &y, 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
