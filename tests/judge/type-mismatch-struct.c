// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct {int; double} is received as doubles.
// CHECK: ==mpicc-check== ERROR [type.mismatch] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  double x[8] = {0};
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) {
    MPI_Send(x, 2, pair, 1, 0, MPI_COMM_WORLD);
  } else {
    // CHECK: MPI_Recv on rank 1 {{.*}}type-mismatch-struct.c:[[#@LINE+1]] in main
    MPI_Recv(x, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
// CHECK: from element 0 on, sent: 1 MPI_INT, 1 MPI_DOUBLE, 1 MPI_INT, 1 MPI_DOUBLE; expected: 4 MPI_DOUBLE
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
