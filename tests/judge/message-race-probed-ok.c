// RUN: %mpicc-check -O0 %s -o %t && rm -f %t.order && %mpirun-check -n 3 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// RUN: %mpicc-check -O2 %s -o %t && rm -f %t.order && %mpirun-check -n 3 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with receives that have the size that the probe found, or are chosen by the source.
#include <mpi.h>
#include "Inputs/hidden-order.h"

int main(int argc, char **argv) {
  int rank, n, data[2] = {0, 0};
  MPI_Status status;
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(data, n, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hidden_done(0);
    MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE == 1) MPI_Recv(data, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Recv(data, 2, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hidden_done(1);
    MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    for (int i = 0; i < 2; i++) {
      if (rank == 2) hidden_wait(i);
      MPI_Send(data, rank, MPI_INT, 0, 5 + i, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings,
