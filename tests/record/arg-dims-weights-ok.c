// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No neighbors, or neighbors without weights.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int self = 0, rank;
  MPI_Comm graph;
  MPI_Init(&argc, &argv);
  MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, &self, MPI_WEIGHTS_EMPTY, 0, &self, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                 0, &graph);
  MPI_Comm_free(&graph);
  int none = 0, one = 1;
  MPI_Dist_graph_create(MPI_COMM_SELF, 1, &self, &none, &self, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph);
  MPI_Comm_free(&graph);
  MPI_Dist_graph_create(MPI_COMM_SELF, 1, &self, &one, &self, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Comm_rank(graph, &rank);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return rank;
}
