// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=watch_period=10 %mpirun-check --mca btl self,vader,tcp -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One half of the job accepts the other's connection (MPI-3.1 10.4), which comes late; then one half is late to a collective of both.
// CHECK: done
// CHECK: no errors found
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, half;
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm mine, both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  half = rank / 2;
  MPI_Comm_split(MPI_COMM_WORLD, half, 0, &mine);
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 2) compute(), compute();
  if (half == 0) MPI_Comm_accept(port, MPI_INFO_NULL, 0, mine, &both);
  else MPI_Comm_connect(port, MPI_INFO_NULL, 0, mine, &both);
  if (rank == 1) compute();
  MPI_Barrier(both);
  MPI_Comm_disconnect(&both);
  if (rank == 0) MPI_Close_port(port);
  MPI_Comm_free(&mine);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
