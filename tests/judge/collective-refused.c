// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collective with a wrong argument that the library carries out all the same (here the program stands in for it) counts as one of
// the communicator's: the other ranks' calls are not compared with the next one.
#include <mpi.h>

int PMPI_Scan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return (void)in, (void)out, (void)n, (void)type, (void)op, (void)comm, MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: ==mpicc-check== ERROR [arg.null] recvbuf of MPI_Scan is NULL, but the count is 1
  // CHECK: MPI_Scan on rank 0 {{.*}}collective-refused.c:[[#@LINE+1]] in main
  MPI_Scan(&x, rank ? &y : NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
