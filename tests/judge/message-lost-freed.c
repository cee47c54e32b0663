// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 2 %t abort 2>&1 | FileCheck %s --check-prefixes=CHECK,ABORT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A communicator is freed while a message on it is under way that nobody can receive any more; also said when the run is ended later.
// CHECK-DAG: ==mpicc-check== ERROR [message.lost]
// CHECK-DAG: the communicator is freed: MPI_Comm_free on rank 1 {{.*}}message-lost-freed.c:[[#@LINE+13]] in main
// ABORT-DAG: [run.died]
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  // CHECK-DAG: MPI_Send from rank 0 {{.*}}message-lost-freed.c:[[#@LINE+1]] in main
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 1, comm);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return 0;
}
