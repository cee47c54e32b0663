// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A displacement unit that is not positive.
// CHECK: ==mpicc-check== ERROR [arg.disp-unit] disp_unit of MPI_Win_allocate is 0, but must be positive
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int *memory;
  MPI_Win win;
  // CHECK: MPI_Win_allocate on rank 0 {{.*}}arg-disp-unit.c:[[#@LINE+1]] in main
  MPI_Win_allocate(sizeof(int), 0, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
