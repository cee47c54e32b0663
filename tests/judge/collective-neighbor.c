// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 sends its neighbours one number, who expect two.
// CHECK: ==mpicc-check== ERROR [collective.count] what MPI_Neighbor_allgather sends and receives differs in amount
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[4] = {0}, y[8], period = 1, n;
  MPI_Comm ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  n = rank == 1 ? 1 : 2;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring);
  // CHECK: MPI_Neighbor_allgather on rank 1 {{.*}}collective-neighbor.c:[[#@LINE+1]] in main
  MPI_Neighbor_allgather(x, n, MPI_INT, y, 2, MPI_INT, ring);
  // CHECK: rank 1 sends 1 MPI_INT to rank {{0|2}}, which expects 2 MPI_INT
  // CHECK: and so for 1 more pair of ranks
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
