// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking collectives whose buffers are pieces with gaps between them, and gaps within them: the gaps are free. Pieces that are sent may overlap
// (MPI-3.1 5.8). More layouts in turn than are remembered.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, to[8] = {1, 2, 3, 4, 5, 6, 7, 8}, from[8] = {0}, x;
  int counts[2] = {2, 1}, displs[2] = {4, 0};   // elements 4, 5 and 0
  int bytes[2] = {0, 16}, ones[2] = {1, 1};     // elements 0, 2 and 4, 6
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  int own = rank ? 1 : 2, owns[2] = {own, own};
  MPI_Ialltoallv(to, counts, displs, MPI_INT, from, owns, displs, MPI_INT, MPI_COMM_WORLD, &request);
  to[6] = 1, to[3] = 1, to[1] = 1, x = to[5], x += from[3], from[6] = 1;
  if (rank == 1) from[5] = 1, from[1] = 1;   // one element of each
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  to[5] = from[4];

  MPI_Datatype pair, pairs[2];
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  pairs[0] = pairs[1] = pair;
  MPI_Ialltoallw(to, ones, bytes, pairs, from, ones, bytes, pairs, MPI_COMM_WORLD, &request);
  to[5] = x, to[7] = x, to[1] = from[3];
  MPI_Sendrecv(&x, 1, MPI_INT, rank, 0, &from[1], 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);

  // As many bytes as from the first to the last, yet element 1 is not sent.
  int thrice[3] = {1, 1, 1}, over[3] = {0, 0, 2};
  MPI_Comm three;
  MPI_Comm_dup(MPI_COMM_SELF, &three);
  MPI_Ialltoallv(to, ones, over + 1, MPI_INT, from, ones, over + 1, MPI_INT, MPI_COMM_WORLD, &request);
  to[1] = 2, from[1] = 2;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int sources[3] = {0, 0, 0};
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(three, 3, sources, MPI_UNWEIGHTED, 3, sources, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  int apart[3] = {0, 1, 2};
  MPI_Ineighbor_alltoallv(to, thrice, over, MPI_INT, from, thrice, apart, MPI_INT, graph, &request);
  to[1] = 3, from[3] = 1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  for (int i = 0; i < 200; i++) {
    int many[200] = {0}, other[200], where[2] = {0, 2 + i % 90};
    MPI_Ialltoallv(many, ones, where, MPI_INT, other, ones, where, MPI_INT, MPI_COMM_WORLD, &request);
    many[1] = 1, many[where[1] + 1] = other[1] = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&graph);
  MPI_Comm_free(&three);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: done
// CHECK: ==mpicc-check== no errors found
