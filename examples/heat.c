// A rod that is hot at one end: each rank has a piece of it and exchanges its borders with the neighbors. The program
// is right. demo-flow.sh runs it on an MPI library that is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>
#include <stdio.h>

enum { N = 100, STEPS = 50 };

static void exchange(double *t, int left, int right) {
  MPI_Request requests[2];
  MPI_Irecv(&t[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&t[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&t[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
  MPI_Send(&t[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  int rank, size;
  double t[N + 2] = {0}, next[N + 2] = {0}, heat, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  if (rank == 0)
    for (int i = 0; i <= N; i++) t[i] = 100;
  for (int step = 0; step < STEPS; step++) {
    exchange(t, left, right);
    for (int i = 1; i <= N; i++) next[i] = (t[i - 1] + 2 * t[i] + t[i + 1]) / 4;
    for (int i = 1; i <= N; i++) t[i] = next[i];
  }
  heat = 0;
  for (int i = 1; i <= N; i++) heat += t[i];
  MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("heat of the rod: %.9g\n", all);
  MPI_Finalize();
  return 0;
}
