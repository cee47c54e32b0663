// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=LENIENT --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that come as bytes: works between equal machines only (MPI-3.1 3.3.1).
// A note by default, which does not change the exit code; one for all messages between the two places.
// LENIENT: ==mpicc-check== NOTE [type.byte-mix] MPI_INT is sent where MPI_BYTE is received
// CHECK: ==mpicc-check== WARNING [type.byte-mix] MPI_INT is sent where MPI_BYTE is received
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[2] = {1, 2};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // LENIENT: MPI_Send from rank 0 {{.*}}type-byte-mix.c:[[#@LINE+2]] in main
  // CHECK: MPI_Send from rank 0 {{.*}}type-byte-mix.c:[[#@LINE+1]] in main
  for (int i = 0; rank == 0 && i < 5; i++) MPI_Send(x, 2, MPI_INT, 1, i % 2, MPI_COMM_WORLD);
  // LENIENT: MPI_Recv on rank 1 {{.*}}type-byte-mix.c:[[#@LINE+2]] in main
  // CHECK: MPI_Recv on rank 1 {{.*}}type-byte-mix.c:[[#@LINE+1]] in main
  for (int i = 0; rank == 1 && i < 5; i++) MPI_Recv(x, sizeof x, MPI_BYTE, 0, i % 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
// LENIENT: ==mpicc-check== 0 errors, 0 warnings, 1 note 
