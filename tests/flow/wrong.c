// RUN: %mpicc-check -w -fno-builtin %s -o %t -ldl
// RUN: %expect66 %mpirun-check --flow -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library, here a part of the program, sends from another buffer than it was given.
// CHECK: ==mpicc-check== ERROR [flow.wrong] other data came than was sent: bytes 0..3999 of 4000
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

enum { N = 1000 };
static int is_faulty, other[N];

int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  __typeof(PMPI_Send) *real = (__typeof(PMPI_Send) *)dlsym(RTLD_NEXT, "PMPI_Send");
  return real(is_faulty && type == MPI_INT ? other : buffer, count, type, dest, tag, comm);
}

int main(int argc, char **argv) {
  static int x[N], y[N];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++) x[i] = i + 1;
  for (is_faulty = 0; is_faulty < 2; is_faulty++) {
    // CHECK: sent by MPI_Send of rank 0 {{.*}}wrong.c:[[#@LINE+1]] in main
    if (rank == 0) MPI_Send(x, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
    // CHECK: received by MPI_Recv on rank 1 {{.*}}wrong.c:[[#@LINE+1]] in main
    else MPI_Recv(y, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) x[i]++, y[i] = -1;
  }
  is_faulty = 0;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
