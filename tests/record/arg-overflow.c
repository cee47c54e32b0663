// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four elements of this extent do not fit into any memory.
// CHECK: ==mpicc-check== ERROR [arg.overflow] buffer of MPI_Bcast: 5 elements of extent 2305843009213693952 do not end within the address space
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int number = 0;
  MPI_Datatype far;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)1 << 61, &far);
  MPI_Type_commit(&far);
  // CHECK: MPI_Bcast on rank 0 {{.*}}arg-overflow.c:[[#@LINE+1]] in main
  MPI_Bcast(&number, 5, far, 0, MPI_COMM_SELF);
  MPI_Type_free(&far);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
