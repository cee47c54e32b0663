// RUN: %mpicc-check -O0 %s -o %t
// RUN: %expect66 %mpirun-check --check-options clocks=off -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 -flto -fuse-ld=lld %s -o %t
// RUN: %expect66 %mpirun-check --check-options clocks=off -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicxx-check -O2 -fno-pie -no-pie -x c++ %s -o %t
// RUN: %expect66 %mpirun-check --check-options clocks=off -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server that receives by profiling names is seen like any other code.
#include <mpi.h>

// An address is taken where no call is.
static int (*const receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = PMPI_Recv;

int main(int argc, char **argv) {
  int rank, size, x = 1;
  MPI_Comm work;
  MPI_Init(&argc, &argv);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank), PMPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK-DAG: WARNING [leak.comm] communicator made by MPI_Comm_dup is never freed
  // CHECK-DAG: MPI_Comm_dup on rank 0 {{.*}}profiling-calls.c:[[#@LINE+1]] in main
  PMPI_Comm_dup(MPI_COMM_WORLD, &work);
  for (int i = 0; rank == 0 && i < size - 1; i++) {
    MPI_Status from;
    PMPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, work, &from);
    receive(&x, 1, MPI_INT, from.MPI_SOURCE, MPI_ANY_TAG, work, MPI_STATUS_IGNORE);
  }
  if (rank != 0) {
    MPI_Request r;
    PMPI_Isend(&x, 1, MPI_INT, 0, 5, work, &r), PMPI_Wait(&r, MPI_STATUS_IGNORE);
    PMPI_Send(&x, 1, MPI_INT, 0, 6, work);
  }
  // CHECK-DAG: ERROR [arg.count] count of MPI_Bcast is negative (-1)
  // CHECK-DAG: MPI_Bcast on rank 0 {{.*}}profiling-calls.c:[[#@LINE+2]] in main
  MPI_Comm_set_errhandler(work, MPI_ERRORS_RETURN);
  PMPI_Bcast(&x, -1, MPI_INT, 0, work);
  MPI_Finalize();
  return 0;
}
// CHECK-DAG: ==mpicc-check== 1 error, 1 warning, 0 notes
