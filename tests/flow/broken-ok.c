// RUN: %mpicc-check -w -fno-builtin %s -o %t -ldl
// RUN: %expect 0 %mpirun-check --flow -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library of this program is right. It is the program's own here, to be in one file.
// CHECK: ==mpicc-check== no errors found
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

enum { N = 1000 };
static int is_faulty, temporary[N], other[N];

int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  __typeof(PMPI_Recv) *real = (__typeof(PMPI_Recv) *)dlsym(RTLD_NEXT, "PMPI_Recv");
  if (type != MPI_INT) return real(buffer, count, type, source, tag, comm, status);
  int rc = real(temporary, count, type, source, tag, comm, status);
  memmove(buffer, temporary, (size_t)count * sizeof(int));
  return rc;
}

int main(int argc, char **argv) {
  static int x[N], y[N];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++) x[i] = i + 1;
  for (is_faulty = 0; is_faulty < 2; is_faulty++) {
    for (int i = 0; i < N; i++) x[i]++;
    if (rank == 0) MPI_Send(x, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(y, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  is_faulty = 0;
  MPI_Finalize();
  return 0;
}
