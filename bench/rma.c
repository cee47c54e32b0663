// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of checking one-sided communication; run.sh runs it with and without the checker: rma fence|flush|puts [N].
//   fence   a Jacobi iteration on rows; the rows of the neighbours come by MPI_Put between fences
//   flush   the same with lock_all, MPI_Put, MPI_Win_flush and a barrier
//   puts    N times MPI_Put of 8 bytes to rank 0 under one lock_all, each rank into its own part, a flush every 64
// Prints the time of the loop, and that of MPI_Finalize, in seconds.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "measure.h"

enum { COLUMNS = 1024, ROWS = 512, TURNS = 200 };

static void relax(const double *from, double *to) {
  for (int i = 1; i <= ROWS; i++)
    for (int k = 1; k < COLUMNS - 1; k++) {
      const double *p = from + (size_t)i * COLUMNS + k;
      to[(size_t)i * COLUMNS + k] = 0.25 * (p[-1] + p[1] + p[-COLUMNS] + p[COLUMNS]);
    }
}

static void stencil(int rank, int size, int is_fenced) {
  double *halo, *a = calloc((size_t)(ROWS + 2) * COLUMNS, sizeof *a),
                *b = calloc((size_t)(ROWS + 2) * COLUMNS, sizeof *b);
  MPI_Win win;
  MPI_Win_allocate(2 * COLUMNS * (MPI_Aint)sizeof *halo, sizeof *halo, MPI_INFO_NULL, MPI_COMM_WORLD, &halo, &win);
  memset(halo, 0, 2 * COLUMNS * sizeof *halo);
  int up = (rank + 1) % size, down = (rank + size - 1) % size;
  if (is_fenced) MPI_Win_fence(0, win);
  else MPI_Win_lock_all(0, win), MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; turn < TURNS; turn++) {
    MPI_Put(a + (size_t)ROWS * COLUMNS, COLUMNS, MPI_DOUBLE, up, 0, COLUMNS, MPI_DOUBLE, win);
    MPI_Put(a + COLUMNS, COLUMNS, MPI_DOUBLE, down, COLUMNS, COLUMNS, MPI_DOUBLE, win);
    if (is_fenced) MPI_Win_fence(0, win);
    else MPI_Win_flush_all(win), MPI_Barrier(MPI_COMM_WORLD), MPI_Win_sync(win);
    memcpy(a, halo, COLUMNS * sizeof *a);
    memcpy(a + (size_t)(ROWS + 1) * COLUMNS, halo + COLUMNS, COLUMNS * sizeof *a);
    if (is_fenced) MPI_Win_fence(0, win);
    else MPI_Barrier(MPI_COMM_WORLD);
    relax(a, b);
    double *swap = a;
    a = b, b = swap;
  }
  if (!is_fenced) MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  free(a), free(b);
}

static void puts_of(int rank, int size, long n) {
  double *memory, x = rank;
  MPI_Win win;
  enum { PART = 4096 };
  MPI_Win_allocate((rank ? 0 : (MPI_Aint)size * PART) * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  for (long i = 0; i < n; i++) {
    MPI_Put(&x, 1, MPI_DOUBLE, 0, (MPI_Aint)rank * PART + i * 7 % PART, 1, MPI_DOUBLE, win);
    if (i % 64 == 63) MPI_Win_flush(0, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

int main(int argc, char **argv) {
  int rank, size;
  const char *shape = argc > 1 ? argv[1] : "fence";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = now();
  if (strcmp(shape, "puts") == 0) puts_of(rank, size, argc > 2 ? atol(argv[2]) : 1000000);
  else stencil(rank, size, strcmp(shape, "fence") == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  double end = now();
  MPI_Finalize();
  if (rank == 0) printf("%s loop %.4f finalize %.4f\n", shape, end - begin, now() - end);
  return 0;
}
