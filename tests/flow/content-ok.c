// RUN: %mpicc-check -w %s -o %t -ldl
// RUN: %expect 0 %mpirun-check --flow=content -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library of this program is right. It is the program's own here, to be in one file.
// CHECK: ==mpicc-check== no errors found
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

static int is_faulty;

int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  __typeof(PMPI_Recv) *real = (__typeof(PMPI_Recv) *)dlsym(RTLD_NEXT, "PMPI_Recv");
  int rc = real(buffer, count, type, source, tag, comm, status);
  return rc;
}

int main(int argc, char **argv) {
  int rank, x[4] = {1, 2, 3, 4}, y[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (is_faulty = 0; is_faulty < 2; is_faulty++) {
    if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(y, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  is_faulty = 0;
  MPI_Finalize();
  return 0;
}
