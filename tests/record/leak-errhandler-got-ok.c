// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is freed.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler made, got;
  MPI_Comm_create_errhandler(ignore, &made);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, made);
  MPI_Errhandler_free(&made);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &got);
  MPI_Errhandler_free(&got);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  MPI_Errhandler_free(&got);
  MPI_Finalize();
  return 0;
}
