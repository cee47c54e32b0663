// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that are given to MPI as what they are not.
// CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: the variable x is float[10], but the datatype is of MPI_INT
// CHECK: MPI_Bcast on rank 0 {{.*}}type-buffer.c:22 in main
// CHECK: ==mpicc-check== ERROR [type.buffer] sendbuf of MPI_Allreduce: MPI_FLOAT falls on points[0].x, which is double
// CHECK: MPI_Allreduce on rank 0 {{.*}}type-buffer.c:23 in main
// CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: the variable n is long, but the datatype is of MPI_DOUBLE
// CHECK: MPI_Bcast on rank 0 {{.*}}type-buffer.c:25 in main
#include <mpi.h>

struct point { double x, y; };
static struct point points[4];

int main(int argc, char **argv) {
  float x[10] = {0}, sums[16] = {0};
  long n = argc;
  MPI_Init(&argc, &argv);
  MPI_Bcast(x, 10, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(points, sums, 16, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  if (n < 0) return 1;
  MPI_Bcast(&n, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return sums[0] != 0;
}
// CHECK: ==mpicc-check== 3 errors, 0 warnings, 0 notes
