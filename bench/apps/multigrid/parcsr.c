// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes and multiplies matrices.
#include "parcsr.h"
#include <stdlib.h>
#include <string.h>
#include "bench/apps/aligned.h"

static struct csr *csr_make(int rows, int room) {
  struct csr *m = aligned_get(sizeof *m);
  m->num_rows = rows, m->num_nonzeros = 0, m->room = room;
  m->i = aligned_get(((size_t)rows + 1) * sizeof *m->i);
  m->j = aligned_get((size_t)room * sizeof *m->j);
  m->data = aligned_get((size_t)room * sizeof *m->data);
  m->i[0] = 0;
  return m;
}

static void csr_release(struct csr *m) {
  aligned_release(m->i), aligned_release(m->j), aligned_release(m->data), aligned_release(m);
}

static void csr_add(struct csr *m, int column, double value) {
  m->j[m->num_nonzeros] = column;
  m->data[m->num_nonzeros++] = value;
}

// A neighbor above or below may have another owner. Its column is kept by its global number at first.
static void add_entry(struct parcsr *a, long column, double value) {
  if (column >= a->first_row && column < a->first_row + a->diag->num_rows) {
    csr_add(a->diag, (int)(column - a->first_row), value);
  } else {
    a->col_map_offd[a->offd->num_nonzeros] = column;
    csr_add(a->offd, 0, value);
  }
}

static int compare_columns(const void *x, const void *y) {
  long a = *(const long *)x, b = *(const long *)y;
  return (a > b) - (a < b);
}

// Sorts the columns of others, and replaces their global numbers by their places.
static void map_columns(struct parcsr *a) {
  size_t n = (size_t)a->offd->num_nonzeros;
  long *columns = aligned_get(n * sizeof *columns);
  memcpy(columns, a->col_map_offd, n * sizeof *columns);
  qsort(a->col_map_offd, n, sizeof *columns, compare_columns);
  a->num_cols_offd = 0;
  for (size_t k = 0; k < n; k++)
    if (k == 0 || a->col_map_offd[k] != a->col_map_offd[a->num_cols_offd - 1])
      a->col_map_offd[a->num_cols_offd++] = a->col_map_offd[k];
  for (size_t k = 0; k < n; k++) {
    long *found = bsearch(&columns[k], a->col_map_offd, (size_t)a->num_cols_offd, sizeof *columns, compare_columns);
    a->offd->j[k] = (int)(found - a->col_map_offd);
  }
  aligned_release(columns);
}

struct parcsr *parcsr_make(long width, long height, int rank, int size) {
  struct parcsr *a = aligned_get(sizeof *a);
  a->row_starts = aligned_get(((size_t)size + 1) * sizeof *a->row_starts);
  for (int r = 0; r <= size; r++) a->row_starts[r] = height * r / size * width;
  a->first_row = a->row_starts[rank], a->global_rows = width * height;
  int rows = (int)(a->row_starts[rank + 1] - a->first_row);
  a->diag = csr_make(rows, 5 * rows), a->offd = csr_make(rows, (int)(2 * width));
  a->col_map_offd = aligned_get((size_t)(2 * width) * sizeof *a->col_map_offd);
  a->x_offd = aligned_get((size_t)(2 * width) * sizeof *a->x_offd);
  for (int row = 0; row < rows; row++) {
    long at = a->first_row + row, x = at % width, y = at / width;
    csr_add(a->diag, row, 4.0); // the diagonal is the first entry, as in hypre
    if (x > 0) add_entry(a, at - 1, -1.0);
    if (x < width - 1) add_entry(a, at + 1, -1.0);
    if (y > 0) add_entry(a, at - width, -1.0);
    if (y < height - 1) add_entry(a, at + width, -1.0);
    a->diag->i[row + 1] = a->diag->num_nonzeros, a->offd->i[row + 1] = a->offd->num_nonzeros;
  }
  map_columns(a);
  a->comm_pkg = NULL;
  return a;
}

void parcsr_release(struct parcsr *a) {
  csr_release(a->diag), csr_release(a->offd), comm_pkg_release(a->comm_pkg);
  aligned_release(a->row_starts), aligned_release(a->col_map_offd), aligned_release(a->x_offd), aligned_release(a);
}

// y = alpha A x + beta y; the values of other ranks come while the own part is multiplied.
void parcsr_multiply(double alpha, const struct parcsr *a, const double *x, double beta, double *y) {
  struct comm_handle *h = comm_handle_create(a->comm_pkg, x, a->x_offd);
  const struct csr *diag = a->diag, *offd = a->offd;
  for (int row = 0; row < diag->num_rows; row++) {
    double sum = 0;
    for (int k = diag->i[row]; k < diag->i[row + 1]; k++) sum += diag->data[k] * x[diag->j[k]];
    y[row] = beta == 0 ? alpha * sum : beta * y[row] + alpha * sum;
  }
  comm_handle_destroy(h);
  for (int row = 0; row < offd->num_rows; row++)
    for (int k = offd->i[row]; k < offd->i[row + 1]; k++) y[row] += alpha * offd->data[k] * a->x_offd[offd->j[k]];
}
