// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A communicator may be freed while a receive that was posted on it is pending (MPI-3.1 6.4.3).
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1, y = 0;
  MPI_Comm comm;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank == 1) MPI_Irecv(&y, 1, MPI_INT, 0, 1, comm, &request);
  if (rank == 0) MPI_Isend(&x, 1, MPI_INT, 1, 1, comm, &request);
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
