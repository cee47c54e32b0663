// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O0 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random updates of a window: each place that jumps about notes a byte per cell itself. In the third epoch the last cell that is updated is one that
// rank 0 puts. The loads before the stores are elsewhere: the line is the one that touched the cell.
// CHECK: ==mpicc-check== ERROR [rma.race]
#include <mpi.h>
#include <stdlib.h>

enum { CELLS = 1 << 13, UPDATES = 3000, PUT = 5000 };
static unsigned long next(unsigned long *seed) { return (*seed = *seed * 6364136223846793005u + 1442695040888963407u) >> 51; }

__attribute__((noinline)) static void update(unsigned long *table, const int *cells, int n) {
  // CHECK: store by rank 1 {{.*}}random-update.c:[[#@LINE+1]] in update
  for (int i = 0; i < n; i++) table[cells[i]] ^= (unsigned long)i;
}
__attribute__((noinline)) static unsigned long look(const unsigned long *table, const int *cells, int n) {
  unsigned long sum = 0;
  for (int i = 0; i < n; i++) sum += table[cells[i]];
  return sum;
}

int main(int argc, char **argv) {
  int rank, *cells = malloc(UPDATES * sizeof *cells);
  unsigned long *table, seed = 1, x = 7, sum = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(CELLS * sizeof *table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
  for (int epoch = 0; epoch < 5; epoch++) {
    for (int i = 0; i < UPDATES; i++)
      while ((cells[i] = (int)next(&seed)) == PUT) {}
    if (epoch == 2) cells[UPDATES - 1] = PUT;
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(&x, 1, MPI_UNSIGNED_LONG, 1, PUT, 1, MPI_UNSIGNED_LONG, win);
    if (rank == 1) sum += look(table, cells, UPDATES - 1), update(table, cells, UPDATES);
    MPI_Win_fence(0, win);
  }
  free(cells);
  MPI_Win_free(&win);
  return MPI_Finalize() + (sum == 1);
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
