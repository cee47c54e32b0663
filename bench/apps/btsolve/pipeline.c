// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-tridiagonal systems along z, over all ranks: each row of lines goes from rank to rank by a put in an epoch of
// post, start, complete and wait, forth and back.
#include <string.h>
#include "block.h"
#include "field.h"

enum { FORTH = 30, BACK = 5 }; // the last block and right-hand side of a line; the first solution

static double *forth(struct field *f, int j, int i) { return f->pipe + (long)(j * f->nx + i) * FORTH; }
static long back_start(const struct field *f) { return (long)f->nx * f->ny * FORTH; }
static double *back(struct field *f, int j, int i) { return f->pipe + back_start(f) + (long)(j * f->nx + i) * BACK; }

static void eliminate(struct field *f, int j, int i) {
  static const int step[3] = {0, 0, 1};
  block lhs;
  for (int k = 0; k < f->nz; k++) {
    int at = f->first + k;
    double *r = f->rhs + POINT(f, k, j, i), (*c)[5] = (double(*)[5])(f->lhsc + POINT(f, k, j, i) * 5);
    field_set_block(f, k, j, i, step, at == 0, at == f->planes - 1, lhs);
    if (at > 0) {
      double before[FORTH];
      if (k > 0) {
        memcpy(before, f->lhsc + POINT(f, k - 1, j, i) * 5, 25 * sizeof(double));
        memcpy(before + 25, f->rhs + POINT(f, k - 1, j, i), 5 * sizeof(double));
      } else {
        for (int m = 0; m < FORTH; m++) before[m] = forth(f, j, i)[m];
      }
      matvec_sub(lhs[BEFORE], before + 25, r);
      matmul_sub(lhs[BEFORE], (double(*)[5])before, lhs[HERE]);
    }
    binvcrhs(lhs[HERE], lhs[AFTER], r);
    memcpy(c, lhs[AFTER], sizeof lhs[AFTER]);
  }
}

static void substitute(struct field *f, int j, int i) {
  for (int k = f->nz - 1; k >= 0; k--) {
    if (f->first + k == f->planes - 1) continue;
    double *r = f->rhs + POINT(f, k, j, i), *c = f->lhsc + POINT(f, k, j, i) * 5;
    const double *next = k < f->nz - 1 ? f->rhs + POINT(f, k + 1, j, i) : back(f, j, i);
    for (int m = 0; m < 5; m++)
      for (int n = 0; n < 5; n++) r[m] -= c[m * 5 + n] * next[n];
  }
}

static void send_forth(struct field *f, int j) {
  double values[FORTH * 256];
  int k = f->nz - 1;
  for (int i = 0; i < f->nx; i++) {
    memcpy(values + i * FORTH, f->lhsc + POINT(f, k, j, i) * 5, 25 * sizeof(double));
    memcpy(values + i * FORTH + 25, f->rhs + POINT(f, k, j, i), 5 * sizeof(double));
  }
  MPI_Win_start(f->after, 0, f->pipe_win);
  MPI_Put(values, FORTH * f->nx, MPI_DOUBLE, f->rank + 1, (MPI_Aint)j * f->nx * FORTH, FORTH * f->nx, MPI_DOUBLE,
          f->pipe_win);
  MPI_Win_complete(f->pipe_win);
}

static void send_back(struct field *f, int j) {
  MPI_Win_start(f->before, 0, f->pipe_win);
  MPI_Put(f->rhs + POINT(f, 0, j, 0), BACK * f->nx, MPI_DOUBLE, f->rank - 1, back_start(f) + (MPI_Aint)j * f->nx * BACK,
          BACK * f->nx, MPI_DOUBLE, f->pipe_win);
  MPI_Win_complete(f->pipe_win);
}

void pipeline_solve(struct field *f) {
  int is_bottom = f->rank == 0, is_top = f->rank == f->size - 1;
  if (!is_bottom) MPI_Win_post(f->before, 0, f->pipe_win);
  for (int j = 0; j < f->ny; j++) {
    if (!is_bottom) {
      MPI_Win_wait(f->pipe_win);
      if (j < f->ny - 1) MPI_Win_post(f->before, 0, f->pipe_win); // the next row comes meanwhile
    }
    for (int i = 0; i < f->nx; i++) eliminate(f, j, i);
    if (!is_top) send_forth(f, j);
  }
  if (!is_top) MPI_Win_post(f->after, 0, f->pipe_win);
  for (int j = 0; j < f->ny; j++) {
    if (!is_top) {
      MPI_Win_wait(f->pipe_win);
      if (j < f->ny - 1) MPI_Win_post(f->after, 0, f->pipe_win);
    }
    for (int i = 0; i < f->nx; i++) substitute(f, j, i);
    if (!is_bottom) send_back(f, j);
  }
}
