// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A broadcast between two groups: its root may load what it sends, and beside the root nobody has a buffer (MPI-3.1 5.2.3).
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0}, y = 0;
  MPI_Comm half, both;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2, 0, &both);
  int root = rank == 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Ibcast(x, 4, MPI_INT, root, both, &request);
  if (rank == 0) y = x[1];
  if (rank == 1) x[1] = 1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast(rank == 1 ? NULL : x, 4, MPI_INT, root, both);
  MPI_Reduce(rank == 2 ? x : NULL, rank == 0 ? x : NULL, rank == 1 ? 0 : 4, MPI_INT, MPI_SUM, root, both);
  MPI_Comm_free(&both), MPI_Comm_free(&half);
  if (!rank) printf("done %d\n", y);
  MPI_Finalize();
  return 0;
}
