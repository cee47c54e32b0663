// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At the border of a grid: the blocks of the neighbor that is there are in use (MPI-3.1 7.6).
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size[1] = {2}, period[1] = {0}, ones[2] = {1, 1}, places[2] = {0, 1}, to[2] = {1, 2}, from[2] = {0}, line[10] = {0};
  MPI_Aint out[2] = {1 * sizeof(int), 8 * sizeof(int)}, in[2] = {0, 9 * sizeof(int)};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Comm grid;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Cart_create(MPI_COMM_WORLD, 1, size, period, 0, &grid);
  int there = rank ? 0 : 1;   // of the blocks
  MPI_Ineighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, grid, &request);
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ineighbor_alltoall will write
  // CHECK: store by {{.*}}buffer-border.c:[[#@LINE+1]] in main
  from[there] = 7;
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ineighbor_alltoall is sending from
  // CHECK: store by {{.*}}buffer-border.c:[[#@LINE+1]] in main
  to[there] = 7;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_allgather(to, 1, MPI_INT, from, 1, MPI_INT, grid, &request);
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ineighbor_allgather is sending from
  // CHECK: store by {{.*}}buffer-border.c:[[#@LINE+1]] in main
  to[0] = 7;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoallv(to, ones, places, MPI_INT, from, ones, places, MPI_INT, grid, &request);
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ineighbor_alltoallv will write
  // CHECK: store by {{.*}}buffer-border.c:[[#@LINE+1]] in main
  from[there] = 7;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoallw(line, ones, out, types, line, ones, in, types, grid, &request);
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ineighbor_alltoallw will write
  // CHECK: store by {{.*}}buffer-border.c:[[#@LINE+1]] in main
  line[rank ? 0 : 9] = -100;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 5 errors
