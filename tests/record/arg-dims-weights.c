// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_WEIGHTS_EMPTY is no weights of one neighbor (MPI-3.1 7.5.4); Open MPI crashes in the call.
// CHECK: ==mpicc-check== ERROR [arg.dims] sourceweights of MPI_Dist_graph_create_adjacent is MPI_WEIGHTS_EMPTY, but there is 1 neighbor
#include <mpi.h>

int main(int argc, char **argv) {
  int self = 0, rank;
  MPI_Comm graph;
  MPI_Init(&argc, &argv);
  // CHECK: MPI_Dist_graph_create_adjacent on rank 0 {{.*}}arg-dims-weights.c:[[#@LINE+1]] in main
  MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &self, MPI_WEIGHTS_EMPTY, 0, &self, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                 0, &graph);
  MPI_Comm_rank(graph, &rank);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return rank;
}
