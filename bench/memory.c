// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of checking loads and stores for whole loops. memory KERNEL prints nanoseconds per element. memory.sh builds
// this with clang and with mpicc-check at the same level, runs both in turn and prints the ratio of the medians.
//   private                        memory that MPI never gets: a product of matrices, a list, an array of structures,
//                                  sorting; the program has a window, too
//   triad, stencil, spmv, random   the arrays, vectors and table are in window memory
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1 << 18, WIDTH = 512, ROWS = 1 << 15, PER_ROW = 27, TABLE = 1 << 18 };
#define KEEP __attribute__((noinline)) static
struct node {
  struct node *next;
  double value;
};
struct body {
  double x, y, z, mass;
  int kind;
};

KEEP void multiply(double *restrict c, const double *restrict a, const double *restrict b, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
KEEP double walk(const struct node *list) {
  double sum = 0;
  for (; list; list = list->next) sum += list->value;
  return sum;
}
KEEP void move(struct body *bodies, int n, double step) {
  for (int i = 0; i < n; i++)
    if (bodies[i].kind) bodies[i].x += step * bodies[i].y / bodies[i].mass, bodies[i].z -= step;
}
KEEP void sort(int *keys, int n) { // insertion sort of nearly sorted keys
  for (int i = 1; i < n; i++) {
    int key = keys[i], j = i;
    for (; j > 0 && keys[j - 1] > key; j--) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

KEEP void triad(double *a, const double *b, const double *c, long n) {
  for (long i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
}
KEEP void stencil(double *to, const double *x, int rows, int width) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < width - 1; j++)
      to[i * width + j] = 0.2 * (x[i * width + j] + x[i * width + j - 1] + x[i * width + j + 1] +
                                 x[(i - 1) * width + j] + x[(i + 1) * width + j]);
}
KEEP void spmv(double *y, const double *x, const double *values, const int *columns, const int *starts, int rows) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++) sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
}
KEEP void update(unsigned long *table, long n, unsigned long seed) {
  for (long i = 0; i < n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    table[seed >> 46] ^= seed;
  }
}

static MPI_Win window;
static double *private_part(long *elements) {
  enum { N = 120, LIST = 20000, BODIES = 20000, KEYS = 20000 };
  static double *a, *b, *c;
  static struct node *list;
  static struct body *bodies;
  static int *keys;
  if (!a) {
    a = calloc(N * N, sizeof *a), b = calloc(N * N, sizeof *b), c = calloc(N * N, sizeof *c);
    bodies = calloc(BODIES, sizeof *bodies), keys = calloc(KEYS, sizeof *keys);
    for (int i = 0; i < LIST; i++) {
      struct node *node = malloc(sizeof *node);
      node->next = list, node->value = i, list = node;
    }
    for (int i = 0; i < BODIES; i++) bodies[i].kind = i & 1, bodies[i].mass = 1;
  }
  for (int i = 0; i < KEYS; i++) keys[i] = i ^ 3;
  multiply(c, a, b, N);
  c[0] += walk(list);
  move(bodies, BODIES, 0.1);
  sort(keys, KEYS);
  *elements = (long)N * N * N + LIST + BODIES + KEYS;
  return c;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *kernel = argc > 1 ? argv[1] : "triad";
  int rounds = argc > 2 ? atoi(argv[2]) : 20;
  char *base;
  MPI_Win_allocate(4l * CELLS * sizeof(double), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  memset(base, 0, 4l * CELLS * sizeof(double));
  double *a = (double *)(void *)base, *b = a + CELLS, *c = b + CELLS;
  double *values = malloc(sizeof *values * ROWS * PER_ROW);
  int *columns = malloc(sizeof *columns * ROWS * PER_ROW), *starts = malloc(sizeof *starts * (ROWS + 1));
  for (int i = 0; i <= ROWS; i++) starts[i] = i * PER_ROW;
  for (int i = 0; i < ROWS * PER_ROW; i++)
    values[i] = i,
    columns[i] = (i / PER_ROW + (i % 3 - 1) + (i / 3 % 3 - 1) * 32 + (i / 9 % 3 - 1) * 1024 + ROWS) % ROWS;
  double best = 1e9, *all = malloc(sizeof *all * (size_t)rounds);
  long elements = 1;
  for (int round = 0; round < rounds; round++) {
    MPI_Win_fence(0, window);
    double start = MPI_Wtime();
    if (!strcmp(kernel, "triad")) {
      for (int i = 0; i < 4; i++) triad(a, b, c, CELLS);
      elements = 4 * CELLS;
    } else if (!strcmp(kernel, "stencil")) {
      for (int i = 0; i < 4; i++) stencil(a, b, CELLS / WIDTH, WIDTH);
      elements = 4 * CELLS;
    } else if (!strcmp(kernel, "spmv")) {
      for (int i = 0; i < 4; i++) spmv(a, b, values, columns, starts, ROWS);
      elements = 4l * ROWS * PER_ROW;
    } else if (!strcmp(kernel, "random")) {
      update((unsigned long *)(void *)base, 4 * TABLE, (unsigned long)round);
      elements = 4 * TABLE;
    } else {
      double *result = private_part(&elements);
      if (result[0] == 0.5) puts("");
    }
    all[round] = (MPI_Wtime() - start) * 1e9 / (double)elements;
    if (all[round] < best) best = all[round];
    MPI_Win_fence(0, window);
  }
  printf("%.4f\n", best);
  free(all), free(values), free(columns), free(starts);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
