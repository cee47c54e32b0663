// RUN: %mpicc-check -O2 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that nobody looks at, of calls that succeed.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int x[2] = {1, 2}, y[2], rc;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Allreduce(x, y, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), rc = MPI_Allreduce(x, y, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), (void)rc;
  MPI_Finalize();
  return 0;
}
