// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=LENIENT --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that come as bytes: works between equal machines only (MPI-3.1 3.3.1), said with option pedantic.
// LENIENT: no errors found
// CHECK: ==mpicc-check== WARNING [type.byte-mix] MPI_INT is sent where MPI_BYTE is received
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[2] = {1, 2};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Send from rank 0 {{.*}}type-byte-mix.c:[[#@LINE+1]] in main
  if (rank == 0) MPI_Send(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  // CHECK: MPI_Recv on rank 1 {{.*}}type-byte-mix.c:[[#@LINE+1]] in main
  if (rank == 1) MPI_Recv(x, sizeof x, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
