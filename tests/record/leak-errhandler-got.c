// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Comm_get_errhandler gives a handler that is to be freed (MPI-3.1 8.3.4).
// CHECK: ==mpicc-check== WARNING [leak.errhandler] 
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler made, got;
  MPI_Comm_create_errhandler(ignore, &made);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, made);
  MPI_Errhandler_free(&made);
  // CHECK: MPI_Comm_get_errhandler on rank 0 {{.*}}leak-errhandler-got.c:[[#@LINE+1]] in main
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &got);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
