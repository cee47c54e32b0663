// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both ends of the edge are named.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, to = 1, from = 0;
  MPI_Comm graph;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 1, &from, MPI_UNWEIGHTED, rank == 0, &to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  MPI_Comm_free(&graph);
  MPI_Finalize();
}
