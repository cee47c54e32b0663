// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error handler that never returns: the error is known all the same.
// CHECK: ERROR [call.failed] MPI_Allreduce failed: MPI_ERR_OP: invalid reduce operation
#include <mpi.h>

static void give_up(MPI_Comm *comm, int *code, ...) {
  (void)code;
  MPI_Abort(*comm, 3);
}

int main(int argc, char **argv) {
  int rank, x[2] = {0}, y[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(give_up, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: MPI_Allreduce on rank 1 {{.*}}call-failed-aborts.c:[[#@LINE+4]] in main
  // CHECK: called with count=1, datatype=MPI_FLOAT_INT, op=MPI_SUM, comm=MPI_COMM_SELF
  // CHECK: MPI ended rank 1 in this call
  // CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
  if (rank == 1) MPI_Allreduce(x, y, 1, MPI_FLOAT_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
