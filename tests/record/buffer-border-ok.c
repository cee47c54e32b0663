// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beyond the border of a grid the neighbor is MPI_PROC_NULL: its blocks are "neither communicated nor updated" (MPI-3.1 7.6), so boundary values may
// be stored there meanwhile, and two blocks of which one is none may lie at the same place.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size[1] = {2}, period[1] = {0}, ones[2] = {1, 1}, places[2] = {0, 1}, same[2] = {0, 0}, to[2] = {1, 2}, from[2] = {0}, line[10] = {0};
  MPI_Aint out[2] = {1 * sizeof(int), 8 * sizeof(int)}, in[2] = {0, 9 * sizeof(int)}, nowhere[2] = {0, 0};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Comm grid, alone;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Cart_create(MPI_COMM_WORLD, 1, size, period, 0, &grid);
  int missing = rank ? 1 : 0;   // of the blocks
  MPI_Ineighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, grid, &request);
  to[missing] = from[missing] = 7;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_allgather(to, 1, MPI_INT, from, 1, MPI_INT, grid, &request);
  from[missing] = 7;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoallv(to, ones, places, MPI_INT, from, ones, places, MPI_INT, grid, &request);
  to[missing] = from[missing] = 7;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoallw(line, ones, out, types, line, ones, in, types, grid, &request);
  line[rank ? 9 : 0] = -100;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Neighbor_alltoallv(to, ones, places, MPI_INT, from, ones, same, MPI_INT, grid);
  MPI_Neighbor_allgatherv(to, 1, MPI_INT, from, ones, same, MPI_INT, grid);
  MPI_Neighbor_alltoallw(line, ones, out, types, from, ones, nowhere, types, grid);
  // Nobody there at all.
  size[0] = 1;
  MPI_Cart_create(MPI_COMM_SELF, 1, size, period, 0, &alone);
  MPI_Ineighbor_allgather(to, 1, MPI_INT, from, 1, MPI_INT, alone, &request);
  to[0] = from[0] = from[1] = 3;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&alone), MPI_Comm_free(&grid);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
