// RUN: %mpicc-check %s -o %t
// RUN: %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fits, and what can hold anything.
#include <complex.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

struct point { double x, y; };
static struct point points[4];
enum color { RED, GREEN };
typedef float real;
union any { int i; float f; };

int main(int argc, char **argv) {
  real x[2][5] = {{0}};
  double sums[8] = {0};
  double complex z[2] = {0};
  long n = argc;
  int64_t wide[3] = {0};
  MPI_Aint address = 0;
  unsigned u[4] = {0};
  enum color color = RED;
  char bytes[64] = {0};
  union any any = {0};
  struct { int count; double value; } mixed = {0, 0};
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  float *block = calloc(4, sizeof *block);
  MPI_Bcast(x, 10, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(points, sums, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(points, 4, pair, 0, MPI_COMM_WORLD);
  MPI_Bcast(z, 2, MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
  MPI_Bcast(z, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(&n, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  MPI_Bcast(wide, 3, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Bcast(&address, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  MPI_Bcast(u, 4, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&color, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(bytes, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(&any, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&mixed.value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(x, sizeof x, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Bcast(block, 4, MPI_INT, 0, MPI_COMM_WORLD);   // perhaps it holds int
  int storage[64] = {0};
  MPI_Bcast(storage, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);   // for this and that
  MPI_Type_free(&pair);
  free(block);
  MPI_Finalize();
  return sums[0] != 0 || address || n != argc;
}
// CHECK: ==mpicc-check== no errors found
