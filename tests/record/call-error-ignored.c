// RUN: %mpicc-check -O0 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody looks at what the first call returns; the result of the second one, in the same line, has a variable.
#include <mpi.h>

int main(int argc, char **argv) {
  int x[2] = {1, 2}, y[2], rc;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  // CHECK: ==mpicc-check== ERROR [call.error-ignored] MPI_Allreduce returned an error that nobody looks at: MPI_ERR_OP: invalid reduce operation
  // CHECK: MPI_Allreduce on rank 0 {{.*}}call-error-ignored.c:[[#@LINE+5]] in main
  // CHECK: called with count=1, datatype=(made by MPI_Type_contiguous), op=MPI_SUM, comm=MPI_COMM_WORLD
  // CHECK: ==mpicc-check== ERROR [call.failed] MPI_Allreduce returned an error: MPI_ERR_OP: invalid reduce operation
  // CHECK: MPI_Allreduce on rank 0 {{.*}}call-error-ignored.c:[[#@LINE+2]] in main
  // clang-format off
  MPI_Allreduce(x, y, 1, pair, MPI_SUM, MPI_COMM_WORLD); rc = MPI_Allreduce(x, y, 1, pair, MPI_SUM, MPI_COMM_WORLD); (void)rc;
  // clang-format on
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
