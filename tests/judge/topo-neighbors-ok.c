// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='{{ERROR|WARNING}}'
// RUN: %mpirun-check -n 8 %t 2>&1 | FileCheck %s --implicit-check-not='{{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs whose edges both ends name: a ring, edges that are there twice, edges to oneself, ranks without edges, and graphs whose edges other ranks name.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, data = 1, got[4] = {0};
  MPI_Comm ring, twice, star, other, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int before[2] = {(rank + size - 1) % size, (rank + size - 1) % size}, after[2] = {(rank + 1) % size, (rank + 1) % size};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, before, MPI_UNWEIGHTED, 1, after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Neighbor_allgather(&data, 1, MPI_INT, got, 1, MPI_INT, ring);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, before, MPI_UNWEIGHTED, 2, after, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &twice);
  MPI_Neighbor_allgather(&data, 1, MPI_INT, got, 1, MPI_INT, twice);
  int own[1] = {rank};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0, own, MPI_UNWEIGHTED, rank == 0, own, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
  int degree = rank == 0 ? 1 : 0, source = 0, destination = size - 1;
  MPI_Dist_graph_create(MPI_COMM_WORLD, degree, &source, &degree, &destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &other);
  MPI_Comm_dup(ring, &copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&other);
  MPI_Comm_free(&star);
  MPI_Comm_free(&twice);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
