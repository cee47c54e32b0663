// RUN: %mpicc-check -O2 %s -o %t && %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line that the compiler has unrolled is one place, though it is several in the code; two lines are two.
// CHECK: ==mpicc-check== ERROR [buffer.read-in-use]
// CHECK-NEXT: on rank 0, 101 times
#include <mpi.h>
#include <stdio.h>

static double x[1000];
static int at[1000];

__attribute__((noinline)) static double gather(const double *from, const int *indices, int n) {
  double sum = 0;
  // CHECK-NEXT: load by rank 0 {{.*}}buffer-unrolled.c:[[#@LINE+1]] in gather
  for (int k = 0; k < n; k++) sum += from[indices[k]];
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  double sum = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 1000; i++) at[i] = i * 7 % 100;
  if (rank == 0) {
    MPI_Irecv(x, 200, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
    sum = gather(x, at, 101);
    // CHECK: ==mpicc-check== ERROR [buffer.read-in-use]
    // CHECK: load by rank 0 {{.*}}buffer-unrolled.c:[[#@LINE+1]] in main
    sum += x[3];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(x, 200, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  if (sum == 3) puts("");
  return MPI_Finalize();
}
// CHECK: ==mpicc-check== 2 errors
