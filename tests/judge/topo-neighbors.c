// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=WARNING
// RUN: %expect66 %mpirun-check -n 8 %t twice 2>&1 | FileCheck %s --check-prefix=TWICE --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A distributed graph of which rank 1 names a destination that does not name it as a source, or names it once of two times (MPI-3.1 7.5.4).
// CHECK: ERROR [topo.neighbors] the neighbor lists of a distributed graph do not agree
// CHECK-NEXT: MPI_Dist_graph_create_adjacent on rank 1 {{.*}}topo-neighbors.c:[[#@LINE+18]] in main
// CHECK-NEXT: MPI_Dist_graph_create_adjacent on rank 2 {{.*}}topo-neighbors.c:[[#@LINE+17]] in main
// CHECK-NEXT: rank 1 names rank 2 as a destination once, rank 2 names rank 1 as a source never (ranks of the communicator)
// CHECK: 1 error
// TWICE: ERROR [topo.neighbors]
// TWICE: rank 1 names rank 2 as a destination 2 times, rank 2 names rank 1 as a source once
// TWICE: 1 error
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Comm ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int sources[1] = {(rank + size - 1) % size}, destinations[2] = {(rank + 1) % size, (rank + 1) % size};
  int nsources = argc == 1 && rank == 2 ? 0 : 1, ndestinations = argc > 1 && rank == 1 ? 2 : 1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, nsources, sources, MPI_UNWEIGHTED, ndestinations, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
