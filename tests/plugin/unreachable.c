// RUN: %mpicc-check -O0 -w -c %s -o %t.o && %mpicc-check -O2 -w -c %s -o %t.o
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that nothing leads to: a block of such a loop is its own only predecessor, and the compiler has to end.
#include <mpi.h>
int f(int *x, int n) {
  if (n) return 1;
  return 0;
  for (;;) MPI_Recv(x, 1, MPI_INT, n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int g(int *x, int n) {
  return 0;
again:
  MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(x, 1, MPI_INT, n, 0, MPI_COMM_WORLD);
  goto again;
}
int h(int *x, int n) {
  return 0;
again:
  MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x += 3; n += x[1];
  if (n > 3) MPI_Send(x, 1, MPI_INT, x[n], 0, MPI_COMM_WORLD);
  goto again;
}
