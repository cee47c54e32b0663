// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check --check-options why=deadlock -n 2 %t 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Option why: on what the proof of a deadlock rests.
// CHECK-DAG: ==mpicc-check== why: deadlock: 2 of 2 ranks wait; the wait-for graph has 1 knot(s), and no rank outside can help
// CHECK-DAG: ==mpicc-check== ERROR [deadlock]
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
