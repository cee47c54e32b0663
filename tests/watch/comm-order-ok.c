// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As comm-order, but nonblocking: started in another order, and then all are waited for, which is right (MPI-3.1 5.12).
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm a, b;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_dup(MPI_COMM_WORLD, &b);
  MPI_Ibarrier(rank == 0 ? a : b, &requests[0]);
  MPI_Ibarrier(rank == 0 ? b : a, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&a);
  MPI_Comm_free(&b);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
