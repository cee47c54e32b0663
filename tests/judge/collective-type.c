// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 takes for integers what are floats.
// CHECK: ==mpicc-check== ERROR [collective.type] ranks give different types to MPI_Bcast
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  _Alignas(4) char x[16] = {0};   // holds anything
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: MPI_Bcast with 4 MPI_FLOAT on ranks 0,2 {{.*}}collective-type.c:[[#@LINE+1]] in main
  MPI_Bcast(x, 4, rank == 1 ? MPI_INT : MPI_FLOAT, 0, MPI_COMM_WORLD);
  // CHECK: element 0 is MPI_FLOAT on rank 0, MPI_INT on rank 1
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
