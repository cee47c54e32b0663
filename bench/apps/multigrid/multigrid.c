// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conjugate gradients with a multigrid of sparse matrices, after hypre: small levels make many small messages and
// waits. usage: multigrid [points in each direction: a multiple of ranks * 2^(levels - 1)] [levels] [solutions]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include "bench/apps/aligned.h"
#include "bench/apps/measured.h"
#include "parcsr.h"

enum { MOST_LEVELS = 16, SWEEPS = 2, COARSE_SWEEPS = 8 };
struct amg {
  int num_levels, rank, size;
  long width[MOST_LEVELS];
  struct parcsr *a[MOST_LEVELS];
  double *u[MOST_LEVELS], *f[MOST_LEVELS], *r[MOST_LEVELS];
};

static void amg_setup(struct amg *m, long width, int levels) {
  MPI_Comm_rank(MPI_COMM_WORLD, &m->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &m->size);
  m->num_levels = levels;
  for (int l = 0; l < levels; l++) {
    m->width[l] = width >> l;
    m->a[l] = parcsr_make(m->width[l], m->width[l], m->rank, m->size);
    comm_pkg_make(m->a[l], m->rank, m->size);
    size_t bytes = (size_t)m->a[l]->diag->num_rows * sizeof(double);
    m->u[l] = aligned_get(bytes), m->f[l] = aligned_get(bytes), m->r[l] = aligned_get(bytes);
  }
}

static void amg_release(struct amg *m) {
  for (int l = 0; l < m->num_levels; l++) {
    parcsr_release(m->a[l]);
    aligned_release(m->u[l]), aligned_release(m->f[l]), aligned_release(m->r[l]);
  }
}

static void residual(struct amg *m, int l) {
  for (int k = 0; k < m->a[l]->diag->num_rows; k++) m->r[l][k] = m->f[l][k];
  parcsr_multiply(-1.0, m->a[l], m->u[l], 1.0, m->r[l]);
}

static void relax(struct amg *m, int l, int sweeps) {
  for (int s = 0; s < sweeps; s++) {
    residual(m, l);
    for (int k = 0; k < m->a[l]->diag->num_rows; k++)
      m->u[l][k] += 0.8 * m->r[l][k] / m->a[l]->diag->data[m->a[l]->diag->i[k]];
  }
}

// The coarse cell of a point of level l: four points make one.
static int coarse(const struct amg *m, int l, int k) {
  long x = k % m->width[l], y = k / m->width[l];
  return (int)(y / 2 * m->width[l + 1] + x / 2);
}

static void cycle(struct amg *m, int l) {
  int rows = m->a[l]->diag->num_rows;
  for (int k = 0; k < rows; k++) m->u[l][k] = 0;
  if (l == m->num_levels - 1) {
    relax(m, l, COARSE_SWEEPS);
    return;
  }
  relax(m, l, SWEEPS);
  residual(m, l);
  for (int k = 0; k < m->a[l + 1]->diag->num_rows; k++) m->f[l + 1][k] = 0;
  // The coarse matrix is that of the same five points: half of what the sums of four rows would be.
  for (int k = 0; k < rows; k++) m->f[l + 1][coarse(m, l, k)] += m->r[l][k];
  cycle(m, l + 1);
  for (int k = 0; k < rows; k++) m->u[l][k] += m->u[l + 1][coarse(m, l, k)];
  relax(m, l, SWEEPS);
}

static double dot(const double *x, const double *y, int n) {
  double mine = 0, all;
  for (int k = 0; k < n; k++) mine += x[k] * y[k];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// Solves A x = b. Returns the number of iterations.
static int solve(struct amg *m, double *x, double *r, double *p, double *q) {
  int n = m->a[0]->diag->num_rows, iterations = 0;
  double before = dot(r, r, n), rho = 0;
  for (int k = 0; k < n; k++) x[k] = p[k] = 0;
  while (dot(r, r, n) > 1e-16 * before && iterations < 100) {
    for (int k = 0; k < n; k++) m->f[0][k] = r[k];
    cycle(m, 0);
    double next = dot(m->u[0], r, n), beta = iterations ? next / rho : 0;
    rho = next;
    for (int k = 0; k < n; k++) p[k] = m->u[0][k] + beta * p[k];
    parcsr_multiply(1.0, m->a[0], p, 0.0, q);
    double alpha = rho / dot(p, q, n);
    for (int k = 0; k < n; k++) x[k] += alpha * p[k];
    for (int k = 0; k < n; k++) r[k] -= alpha * q[k];
    iterations++;
  }
  return iterations;
}

// A known solution, its right-hand side, and how far we are from it in the end.
static int solve_known(struct amg *m, long turn) {
  int n = m->a[0]->diag->num_rows;
  double *all = aligned_get(5 * (size_t)n * sizeof *all), error = 0;
  double *x = all, *r = x + n, *p = r + n, *q = p + n, *known = q + n;
  for (int k = 0; k < n; k++) known[k] = 1 + (double)((m->a[0]->first_row + k) * (turn + 3) % 17) / 17;
  parcsr_multiply(1.0, m->a[0], known, 0.0, r);
  int iterations = solve(m, x, r, p, q);
  for (int k = 0; k < n; k++) error = fmax(error, fabs(x[k] - known[k]));
  aligned_release(all);
  return iterations < 100 && error < 1e-5;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int size, is_right = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long width = measured_argument(argc, argv, 1, 256, size), turns = measured_argument(argc, argv, 3, 15, 1);
  int levels = (int)measured_argument(argc, argv, 2, 6, 1);
  if (levels > MOST_LEVELS || width % ((long)size << (levels - 1))) {
    fprintf(stderr, "multigrid: %ld points do not make %d levels on %d ranks\n", width, levels, size);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  measured_begin();
  for (long turn = 0; turn < turns; turn++) {
    struct amg m;
    amg_setup(&m, width, levels);
    is_right = solve_known(&m, turn) && is_right;
    amg_release(&m);
  }
  measured_end();
  is_right = measured_print("multigrid", is_right);
  return measured_finish(is_right);
}
