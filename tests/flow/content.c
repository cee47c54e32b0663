// RUN: %mpicc-check -w %s -o %t -ldl
// RUN: %expect66 %mpirun-check --flow=content -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library of this program forgets the last number of a message. It is the program's own here, to be in one file.
// CHECK: ==mpicc-check== ERROR [flow.content] other data came than was sent: bytes 12..12 of 16
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

static int is_faulty;

int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  __typeof(PMPI_Recv) *real = (__typeof(PMPI_Recv) *)dlsym(RTLD_NEXT, "PMPI_Recv");
  int rc = real(buffer, count, type, source, tag, comm, status);
  if (is_faulty) ((int *)buffer)[count - 1] = 0;
  return rc;
}

int main(int argc, char **argv) {
  int rank, x[4] = {1, 2, 3, 4}, y[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (is_faulty = 0; is_faulty < 2; is_faulty++) {
    // CHECK: sent by MPI_Send of rank 0 {{.*}}content.c:[[#@LINE+1]] in main
    if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    // CHECK: received by MPI_Recv on rank 1 {{.*}}content.c:[[#@LINE+1]] in main
    else MPI_Recv(y, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  // CHECK: from byte 12 on: 04 00 00 00 was sent, 00 00 00 00 came
  is_faulty = 0;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
