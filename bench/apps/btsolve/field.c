// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The field, the blocks of a point, and right-hand sides.
#include "field.h"
#include <stdlib.h>
#include "bench/apps/aligned.h"

static void make_windows(struct field *f) {
  MPI_Group world;
  MPI_Aint bytes = (MPI_Aint)sizeof(double) * 5 * f->nx * f->ny * (f->nz + 2);
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f->w, &f->w_win);
  bytes = (MPI_Aint)sizeof(double) * 35 * f->nx * f->ny;
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f->pipe, &f->pipe_win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, f->w_win);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int neighbor[2] = {f->rank - 1, f->rank + 1};
  MPI_Group_incl(world, f->rank > 0, &neighbor[0], &f->before);
  MPI_Group_incl(world, f->rank < f->size - 1, &neighbor[1], &f->after);
  MPI_Group_free(&world);
}

void field_make(struct field *f, int n, int planes) {
  MPI_Comm_rank(MPI_COMM_WORLD, &f->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &f->size);
  f->nx = f->ny = n, f->planes = planes;
  f->first = (int)((long)planes * f->rank / f->size);
  f->nz = (int)((long)planes * (f->rank + 1) / f->size) - f->first;
  size_t points = (size_t)(n * n), longest = (size_t)n;
  f->u = aligned_get(points * (size_t)(f->nz + 2) * 5 * sizeof(double));
  f->rhs = aligned_get(points * (size_t)f->nz * 5 * sizeof(double));
  f->lhs = aligned_get(longest * sizeof *f->lhs);
  f->lhsc = aligned_get(points * (size_t)f->nz * 25 * sizeof(double));
  make_windows(f);
  for (int k = -1; k <= f->nz; k++)
    for (int j = 0; j < f->ny; j++)
      for (int i = 0; i < f->nx; i++)
        for (int m = 0; m < 5; m++) {
          f->u[GHOSTED(f, k, j, i) + m] = 0.5 + (double)((i * 3 + j * 5 + (f->first + k + 1) * 7 + m * 11) % 13) / 13;
          f->w[GHOSTED(f, k, j, i) + m] = 1.0 + (double)((i + 2 * j + 3 * (f->first + k + 1) + m) % 7) / 7;
        }
  MPI_Win_fence(0, f->w_win);
}

void field_release(struct field *f) {
  MPI_Win_fence(MPI_MODE_NOSUCCEED, f->w_win);
  MPI_Win_free(&f->w_win);
  MPI_Win_free(&f->pipe_win);
  MPI_Group_free(&f->before);
  MPI_Group_free(&f->after);
  aligned_release(f->u), aligned_release(f->rhs), aligned_release(f->lhs), aligned_release(f->lhsc);
}

// Like the Jacobian of a flux, at one point.
static void add_jacobian(const double *u, double factor, double to[5][5]) {
  for (int m = 0; m < 5; m++)
    for (int n = 0; n < 5; n++) to[m][n] += factor * 0.02 * u[m] * u[n];
  for (int m = 0; m < 5; m++) to[m][m] += factor * 0.1;
}

void field_set_block(const struct field *f, int k, int j, int i, const int step[3], int is_first, int is_last,
                     block lhs) {
  for (int b = BEFORE; b <= AFTER; b++)
    for (int m = 0; m < 5; m++)
      for (int n = 0; n < 5; n++) lhs[b][m][n] = 0;
  for (int m = 0; m < 5; m++) lhs[HERE][m][m] = 2.0;
  add_jacobian(f->u + GHOSTED(f, k, j, i), 1.0, lhs[HERE]);
  if (!is_first) add_jacobian(f->u + GHOSTED(f, k - step[2], j - step[1], i - step[0]), -0.5, lhs[BEFORE]);
  if (!is_last) add_jacobian(f->u + GHOSTED(f, k + step[2], j + step[1], i + step[0]), -0.5, lhs[AFTER]);
}

void field_exchange(struct field *f) {
  int count = 5 * f->nx * f->ny, below = 0;
  if (f->rank > 0) below = (int)((long)f->planes * f->rank / f->size - (long)f->planes * (f->rank - 1) / f->size);
  MPI_Win_fence(0, f->w_win);
  if (f->rank > 0) MPI_Get(f->w, count, MPI_DOUBLE, f->rank - 1, (MPI_Aint)below * count, count, MPI_DOUBLE, f->w_win);
  if (f->rank < f->size - 1)
    MPI_Get(f->w + (long)(f->nz + 1) * count, count, MPI_DOUBLE, f->rank + 1, count, count, MPI_DOUBLE, f->w_win);
  MPI_Win_fence(0, f->w_win);
}

void field_set_rhs(struct field *f, const int step[3]) {
  for (int k = 0; k < f->nz; k++)
    for (int j = 0; j < f->ny; j++)
      for (int i = 0; i < f->nx; i++) {
        block lhs;
        int is_first = step[0] ? i == 0 : step[1] ? j == 0 : f->first + k == 0;
        int is_last = step[0] ? i == f->nx - 1 : step[1] ? j == f->ny - 1 : f->first + k == f->planes - 1;
        field_set_block(f, k, j, i, step, is_first, is_last, lhs);
        for (int m = 0; m < 5; m++) {
          double sum = 0;
          for (int n = 0; n < 5; n++) {
            sum += lhs[HERE][m][n] * f->w[GHOSTED(f, k, j, i) + n];
            if (!is_first) sum += lhs[BEFORE][m][n] * f->w[GHOSTED(f, k - step[2], j - step[1], i - step[0]) + n];
            if (!is_last) sum += lhs[AFTER][m][n] * f->w[GHOSTED(f, k + step[2], j + step[1], i + step[0]) + n];
          }
          f->rhs[POINT(f, k, j, i) + m] = sum;
        }
      }
}
