// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error handler is made and never freed.
// CHECK: ==mpicc-check== WARNING [leak.errhandler] 
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler;
  // CHECK: MPI_Comm_create_errhandler on rank 0 {{.*}}leak-errhandler.c:[[#@LINE+1]] in main
  MPI_Comm_create_errhandler(ignore, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
