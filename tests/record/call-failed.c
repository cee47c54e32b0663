// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of pairs is no predefined operation (MPI-3.1 5.9.2).
// CHECK: ==mpicc-check== ERROR [call.failed] MPI_Allreduce returned an error: MPI_ERR_OP: 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x[2] = {1, 2}, y[2];
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_set_name(pair, "pair of ints");
  // CHECK: MPI_Allreduce on rank 0 {{.*}}call-failed.c:[[#@LINE+1]] in main
  int rc = MPI_Allreduce(x, y, 1, pair, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: called with count=1, datatype=pair of ints, op=MPI_SUM, comm=MPI_COMM_WORLD
  if (rc != MPI_SUCCESS) x[0] = 0;
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
