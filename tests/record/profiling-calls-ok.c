// RUN: %mpicc-check -O2 %s -o %t
// RUN: %mpirun-check --check-options clocks=off -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// Without the runtime it calls the library.
// RUN: %mpicc-check -O2 -c %s -o %t.o && %mpicc %t.o -o %t && %mpirun -n 3 %t
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server that receives by profiling names.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

// An address is taken where no call is.
static int (*const receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = PMPI_Recv;

int main(int argc, char **argv) {
  int rank, size, x = 1;
  MPI_Comm work;
  MPI_Init(&argc, &argv);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank), PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Comm_dup(MPI_COMM_WORLD, &work);
  for (int i = 0; rank == 0 && i < size - 1; i++) {
    MPI_Status from;
    PMPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, work, &from);
    receive(&x, 1, MPI_INT, from.MPI_SOURCE, MPI_ANY_TAG, work, MPI_STATUS_IGNORE);
  }
  if (rank != 0) {
    MPI_Request r;
    PMPI_Isend(&x, 1, MPI_INT, 0, 5, work, &r), PMPI_Wait(&r, MPI_STATUS_IGNORE);
    PMPI_Send(&x, 1, MPI_INT, 0, 6, work);
  }
  PMPI_Bcast(&x, 1, MPI_INT, 0, work);
  MPI_Comm_free(&work);  // what PMPI_ made MPI_ may free
  MPI_Finalize();
  return 0;
}
