// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid of a star-shaped stencil: division among the ranks, the sweep, the result.
#include "domain.h"
#include <math.h>
#include <stdio.h>
#include "bench/apps/aligned.h"

static void divide(long n, int parts, int which, long *start, long *end) {
  long each = n / parts, left = n % parts;
  *start = which * each + (which < left ? which : left);
  *end = *start + each + (which < left) - 1;
}

static void set_weights(struct domain *d) {
  for (int i = -RADIUS; i <= RADIUS; i++)
    for (int j = -RADIUS; j <= RADIUS; j++) d->weight[i + RADIUS][j + RADIUS] = 0;
  for (int i = 1; i <= RADIUS; i++) {
    d->weight[RADIUS][RADIUS + i] = d->weight[RADIUS + i][RADIUS] = 1.0 / (2.0 * i * RADIUS);
    d->weight[RADIUS][RADIUS - i] = d->weight[RADIUS - i][RADIUS] = -1.0 / (2.0 * i * RADIUS);
  }
}

void domain_make(struct domain *d, long n) {
  MPI_Comm_rank(MPI_COMM_WORLD, &d->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &d->size);
  d->n = n;
  for (d->columns = (int)sqrt(d->size + 0.5); d->size % d->columns; d->columns--) {}
  d->rows = d->size / d->columns;
  d->column = d->rank % d->columns, d->row = d->rank / d->columns;
  d->neighbor[RIGHT] = d->column < d->columns - 1 ? d->rank + 1 : MPI_PROC_NULL;
  d->neighbor[LEFT] = d->column > 0 ? d->rank - 1 : MPI_PROC_NULL;
  d->neighbor[TOP] = d->row < d->rows - 1 ? d->rank + d->columns : MPI_PROC_NULL;
  d->neighbor[BOTTOM] = d->row > 0 ? d->rank - d->columns : MPI_PROC_NULL;
  divide(n, d->columns, d->column, &d->istart, &d->iend);
  divide(n, d->rows, d->row, &d->jstart, &d->jend);
  d->width = d->iend - d->istart + 1, d->height = d->jend - d->jstart + 1;
  if (d->width < RADIUS || d->height < RADIUS) {
    fprintf(stderr, "%ld points are too few for %d ranks\n", n, d->size);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  d->out = aligned_get((size_t)(d->width * d->height) * sizeof *d->out);
  set_weights(d);
}

size_t domain_in_bytes(const struct domain *d) {
  return (size_t)(IN_WIDTH(d) * (d->height + 2 * RADIUS)) * sizeof *d->in;
}

void domain_fill(struct domain *d) {
  for (long k = 0; k < IN_WIDTH(d) * (d->height + 2 * RADIUS); k++) d->in[k] = 0;
  for (long j = d->jstart; j <= d->jend; j++)
    for (long i = d->istart; i <= d->iend; i++) {
      IN(d, i, j) = (double)(i + j);
      OUT(d, i, j) = 0;
    }
}

void domain_release(struct domain *d) { aligned_release(d->out); }

static long larger(long a, long b) { return a > b ? a : b; }
static long smaller(long a, long b) { return a < b ? a : b; }

void domain_sweep(struct domain *d) {
#pragma omp parallel for
  for (long j = larger(d->jstart, RADIUS); j <= smaller(d->n - RADIUS - 1, d->jend); j++) {
    for (long i = larger(d->istart, RADIUS); i <= smaller(d->n - RADIUS - 1, d->iend); i++) {
      for (int jj = -RADIUS; jj <= RADIUS; jj++) OUT(d, i, j) += d->weight[RADIUS][RADIUS + jj] * IN(d, i, j + jj);
      for (int ii = -RADIUS; ii < 0; ii++) OUT(d, i, j) += d->weight[RADIUS + ii][RADIUS] * IN(d, i + ii, j);
      for (int ii = 1; ii <= RADIUS; ii++) OUT(d, i, j) += d->weight[RADIUS + ii][RADIUS] * IN(d, i + ii, j);
    }
  }
}

void domain_step(struct domain *d) {
#pragma omp parallel for
  for (long j = d->jstart; j <= d->jend; j++)
    for (long i = d->istart; i <= d->iend; i++) IN(d, i, j) += 1.0;
}

// The stencil differentiates i + j, so each sweep adds 2 to each point, whatever the constant that was added.
int domain_is_right(const struct domain *d, long iterations) {
  double mine = 0, all;
  for (long j = larger(d->jstart, RADIUS); j <= smaller(d->n - RADIUS - 1, d->jend); j++)
    for (long i = larger(d->istart, RADIUS); i <= smaller(d->n - RADIUS - 1, d->iend); i++) mine += fabs(OUT(d, i, j));
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double points = (double)((d->n - 2 * RADIUS) * (d->n - 2 * RADIUS)), expected = 2.0 * (double)iterations;
  return fabs(all / points - expected) < 1e-8 * expected;
}
