// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 4 %t 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run dies behind a race under locks: it is found in the logs.
// CHECK-DAG: ==mpicc-check== ERROR [run.died]
// Ranks that were in one call are named together.
// CHECK-DAG: {{^}}  ranks 0,1,3 were in MPI_Ssend {{ *}}died.c:[[#@LINE+15]] in main
// CHECK-DAG: ==mpicc-check== ERROR [rma.race] race on a window of rank 0, bytes 12..15
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, *memory, x = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  if (rank) MPI_Put(&x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 2) MPI_Ssend(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  for (int from = 0; from < 4; from++)
    if (from != 2) MPI_Probe(from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // then that rank is in its send
  abort();
  MPI_Finalize();
  return 0;
}
