// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: the name of a port is used at the root only (MPI-3.1 10.4.2, 10.4.3).
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, own;
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm half, both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2, 0, &half);
  MPI_Comm_rank(half, &own);
  if (rank < 2) {
    if (own == 0) MPI_Open_port(MPI_INFO_NULL, port), MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 2, 0, MPI_COMM_WORLD);
    MPI_Comm_accept(own ? NULL : port, MPI_INFO_NULL, 0, half, &both);
    if (own == 0) MPI_Close_port(port);
  } else {
    if (own == 0) MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_connect(own ? NULL : port, MPI_INFO_NULL, 0, half, &both);
  }
  MPI_Barrier(both);
  MPI_Comm_disconnect(&both);
  MPI_Comm_free(&half);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
