// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil on window memory, of which the compiler proves that no load or store can come in one epoch with a put. With
// -DUNPROVED a store ends the proof.
// usage: stencil POINTS
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
static void sweep(const double *u, double *next, long n) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j + 1 < n; j++)
      next[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
}
static void update(double *u, const double *next, long n) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j + 1 < n; j++) u[i * n + j] = next[i * n + j];
}
static __attribute__((noinline)) void run(double *u, double *next, double *edges, long n, int left, int right,
                                          MPI_Win win) {
  for (int i = 0; i < 2; i++) {
    sweep(u, next, n);
    update(u, next, n);
    memcpy(edges, u + n, (size_t)n * sizeof *u);
    memcpy(edges + n, u + n * n, (size_t)n * sizeof *u);
    MPI_Win_fence(0, win);
    MPI_Put(edges, (int)n, MPI_DOUBLE, left, (n + 1) * n, (int)n, MPI_DOUBLE, win);
    MPI_Put(edges + n, (int)n, MPI_DOUBLE, right, 0, (int)n, MPI_DOUBLE, win);
#ifdef UNPROVED
    u[n + 1] = 1;
#endif
    MPI_Win_fence(0, win);
  }
}
int main(int argc, char **argv) {
  int rank, size;
  double *u;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long n = atol(argv[1]);
  MPI_Aint bytes = (n + 2) * n * (MPI_Aint)sizeof *u;
  double *next = calloc((size_t)bytes, 1), *edges = malloc((size_t)(2 * n) * sizeof *edges);
  if (!next || !edges) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Win_allocate(bytes, sizeof *u, MPI_INFO_NULL, MPI_COMM_WORLD, &u, &win);
  memset(u, 0, (size_t)bytes);
  run(u, next, edges, n, (rank + size - 1) % size, (rank + 1) % size, win);
  double middle = u[n * n / 2];
  MPI_Win_free(&win);
  free(next);
  free(edges);
  MPI_Finalize();
  return middle < 0;
}
