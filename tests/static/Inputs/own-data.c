// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with collective calls that are left by numbers which a process computes of its own data (programs.py). Wrong
// if they were not reduced first; all that is reduced, sent to all, or equal by other ways is right.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 100
#define W MPI_COMM_WORLD

static int rank, size;
static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &size);
}
static void exchange(double *u, int n, int rank, int size) {
  int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&u[n], 1, MPI_DOUBLE, up, 0, &u[0], 1, MPI_DOUBLE, down, 0, W, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, down, 1, &u[n + 1], 1, MPI_DOUBLE, up, 1, W, MPI_STATUS_IGNORE);
}
static double relax(const double *u, double *v, int n) {
  double r = 0;
  for (int i = 1; i <= n; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]), r += fabs(v[i] - u[i]);
  return r;
}
//// residual
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank); // NOTE
  double u[N + 2], v[N + 2] = {0}, local = 1, global;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (local > 1e-6) { // NOTE
    local = relax(u, v, N);
    memcpy(u, v, sizeof u);
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, W); // WARN
  }
  MPI_Finalize();
}
//// residual-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0}, local = 1, global = 1;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (global > 1e-6) {
    local = relax(u, v, N);
    memcpy(u, v, sizeof u);
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, W);
  }
  MPI_Finalize();
}
//// heap
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, n = N, it = 0;
  MPI_Comm_rank(W, &rank); // NOTE
  MPI_Comm_size(W, &size);
  double *u = calloc((size_t)n + 2, sizeof *u), *v = calloc((size_t)n + 2, sizeof *v), residual = 1;
  if (rank == 0) u[0] = v[0] = 1;
  while (residual > 1e-6 && it < 1000) { // NOTE
    exchange(u, n, rank, size);
    residual = relax(u, v, n);
    double *old = u;
    u = v, v = old;
    MPI_Barrier(W); // WARN
    it++;
  }
  free(u), free(v);
  MPI_Finalize();
}
//// heap-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, n = N, it = 0;
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &size);
  double *u = calloc((size_t)n + 2, sizeof *u), *v = calloc((size_t)n + 2, sizeof *v), residual = 1;
  if (rank == 0) u[0] = v[0] = 1;
  while (residual > 1e-6 && it < 1000) {
    exchange(u, n, rank, size);
    residual = relax(u, v, n);
    double *old = u;
    u = v, v = old;
    MPI_Allreduce(MPI_IN_PLACE, &residual, 1, MPI_DOUBLE, MPI_MAX, W);
    it++;
  }
  free(u), free(v);
  MPI_Finalize();
}
//// rows
static double sweep(double **g, int rows) {
  double sum = 0;
  for (int i = 1; i <= rows; i++)
    for (int k = 1; k < N - 1; k++) {
      double old = g[i][k];
      g[i][k] = 0.5 * (g[i - 1][k] + g[i + 1][k]);
      sum += fabs(g[i][k] - old);
    }
  return sum;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, rows = 20;
  MPI_Comm_rank(W, &rank); // NOTE
  MPI_Comm_size(W, &size);
  int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  double **g = malloc((size_t)(rows + 2) * sizeof *g), change;
  for (int i = 0; i < rows + 2; i++) g[i] = calloc(N, sizeof **g);
  if (rank == 0)
    for (int k = 0; k < N; k++) g[0][k] = 100;
  do {
    MPI_Sendrecv(g[rows], N, MPI_DOUBLE, up, 0, g[0], N, MPI_DOUBLE, down, 0, W, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g[1], N, MPI_DOUBLE, down, 1, g[rows + 1], N, MPI_DOUBLE, up, 1, W, MPI_STATUS_IGNORE);
    change = sweep(g, rows);
    MPI_Barrier(W); // WARN
  } while (change > 1e-3); // NOTE
  for (int i = 0; i < rows + 2; i++) free(g[i]);
  free(g);
  MPI_Finalize();
}
//// rows-ok
static double sweep(double **g, int rows) {
  double most = 0, all;
  for (int i = 1; i <= rows; i++)
    for (int k = 1; k < N - 1; k++) {
      double old = g[i][k];
      g[i][k] = 0.25 * (g[i - 1][k] + g[i + 1][k] + g[i][k - 1] + g[i][k + 1]);
      most = fmax(most, fabs(g[i][k] - old));
    }
  MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, W);
  return all;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, rows = 20;
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &size);
  int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  double **g = malloc((size_t)(rows + 2) * sizeof *g), change;
  for (int i = 0; i < rows + 2; i++) g[i] = calloc(N, sizeof **g);
  if (rank == 0)
    for (int k = 0; k < N; k++) g[0][k] = 100;
  do {
    MPI_Sendrecv(g[rows], N, MPI_DOUBLE, up, 0, g[0], N, MPI_DOUBLE, down, 0, W, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g[1], N, MPI_DOUBLE, down, 1, g[rows + 1], N, MPI_DOUBLE, up, 1, W, MPI_STATUS_IGNORE);
    change = sweep(g, rows);
  } while (change > 1e-3);
  for (int i = 0; i < rows + 2; i++) free(g[i]);
  free(g);
  MPI_Finalize();
}
//// time-step
static double x[N + 2], speed[N + 2];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank); // NOTE
  for (int i = 0; i < N + 2; i++) x[i] = rank * N + i, speed[i] = 1 + 0.1 * sin(rank + i);
  double t = 0, sum;
  while (t < 1) { // NOTE
    double dt = 1;
    for (int i = 1; i <= N; i++) speed[i] += 0.1 * (speed[i - 1] - speed[i]), dt = fmin(dt, 0.5 / fabs(speed[i]));
    MPI_Allreduce(&speed[1], &sum, 1, MPI_DOUBLE, MPI_SUM, W); // WARN
    t += dt;
  }
  MPI_Finalize();
}
//// time-step-ok
static double x[N + 2], speed[N + 2];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  for (int i = 0; i < N + 2; i++) x[i] = rank * N + i, speed[i] = 1 + 0.1 * sin(rank + i);
  double t = 0, all;
  while (t < 1) {
    double dt = 1;
    for (int i = 1; i <= N; i++) speed[i] += 0.1 * (speed[i - 1] - speed[i]), dt = fmin(dt, 0.5 / fabs(speed[i]));
    MPI_Allreduce(&dt, &all, 1, MPI_DOUBLE, MPI_MIN, W);
    t += all;
  }
  MPI_Finalize();
}
//// coordinates-ok
static double x[N + 2], u[N + 2];
int main(int argc, char **argv) { // the distance of two coordinates is equal on all ranks
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  for (int i = 0; i < N + 2; i++) x[i] = (rank * N + i) * 0.01, u[i] = sin(x[i]);
  double dx = x[1] - x[0], dt = 0.5 * dx, t = 0, sum;
  while (t < 1) {
    for (int i = 1; i <= N; i++) u[i] -= dt / dx * (u[i] - u[i - 1]);
    MPI_Allreduce(&u[1], &sum, 1, MPI_DOUBLE, MPI_SUM, W);
    t += dt;
  }
  MPI_Finalize();
}
//// several-sums-ok
int main(int argc, char **argv) {
  begin(&argc, &argv);
  double u[N + 2], v[N + 2] = {0}, local[2], sums[2] = {1, 1};
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (sqrt(sums[0]) > 1e-6 && sums[1] > 0) {
    local[0] = relax(u, v, N), local[1] = u[1];
    memcpy(u, v, sizeof u);
    MPI_Allreduce(local, sums, 2, MPI_DOUBLE, MPI_SUM, W);
  }
  MPI_Finalize();
}
//// told-by-messages-ok
int main(int argc, char **argv) { // rank 0 tells all others its own residual
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double u[N + 2], v[N + 2] = {0}, r = 1;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (r > 1e-6) {
    r = relax(u, v, N);
    memcpy(u, v, sizeof u);
    if (rank == 0)
      for (int to = 1; to < size; to++) MPI_Send(&r, 1, MPI_DOUBLE, to, 0, W);
    else MPI_Recv(&r, 1, MPI_DOUBLE, 0, 0, W, MPI_STATUS_IGNORE);
    MPI_Barrier(W);
  }
  MPI_Finalize();
}
//// told-in-an-array-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double u[N + 2], v[N + 2] = {0}, r[2] = {1, 1};
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (r[0] > 1e-6 * r[1]) {
    r[0] = relax(u, v, N), r[1] += r[0];
    memcpy(u, v, sizeof u);
    if (rank == 0)
      for (int to = 1; to < size; to++) MPI_Send(r, 2, MPI_DOUBLE, to, 0, W);
    else MPI_Recv(r, 2, MPI_DOUBLE, 0, 0, W, MPI_STATUS_IGNORE);
    MPI_Barrier(W);
  }
  MPI_Finalize();
}
//// same-data-ok
int main(int argc, char **argv) { // all ranks compute the same
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2] = {0}, v[N + 2] = {0}, r = 1;
  if (rank == 0)
    for (int i = 0; i < N + 2; i++) u[i] = sin(i);
  MPI_Bcast(u, N + 2, MPI_DOUBLE, 0, W);
  while (r > 1e-6) {
    r = relax(u, v, N);
    memcpy(u, v, sizeof u);
    MPI_Barrier(W);
  }
  MPI_Finalize();
}
//// same-data-by-messages-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double *u = calloc(N + 2, sizeof *u), *v = calloc(N + 2, sizeof *v), r = 1;
  if (rank == 0) {
    for (int i = 0; i < N + 2; i++) u[i] = sin(i);
    for (int to = 1; to < size; to++) MPI_Send(u, N + 2, MPI_DOUBLE, to, 0, W);
  } else MPI_Recv(u, N + 2, MPI_DOUBLE, 0, 0, W, MPI_STATUS_IGNORE);
  while (r > 1e-6) {
    r = relax(u, v, N);
    memcpy(u, v, (N + 2) * sizeof *u);
    MPI_Barrier(W);
  }
  free(u), free(v);
  MPI_Finalize();
}
//// verified-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0}, most = 0;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  for (int turn = 0; turn < 10; turn++) most = relax(u, v, N), memcpy(u, v, sizeof u);
  if (most > 1) printf("rank %d has not converged\n", rank);
  if (most > 100) MPI_Abort(W, 1);
  MPI_Barrier(W);
  if (most > 10) exit(1);
  MPI_Finalize();
}
//// inner-loop-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0};
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  for (int turn = 0; turn < 10; turn++) {
    while (relax(u, v, N) > 1e-3) memcpy(u, v, sizeof u);
    MPI_Barrier(W);
  }
  MPI_Finalize();
}
//// same-calls-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0}, r = 0, all;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  for (int turn = 0; turn < 10; turn++) {
    r = relax(u, v, N), memcpy(u, v, sizeof u);
    double zero = 0;
    if (r > 1e-3) MPI_Allreduce(&r, &all, 1, MPI_DOUBLE, MPI_SUM, W);
    else MPI_Allreduce(&zero, &all, 1, MPI_DOUBLE, MPI_SUM, W);
  }
  MPI_Finalize();
}
//// all-agree-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0};
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  for (int turn = 0, all = 0; !all && turn < 1000; turn++) {
    int mine = relax(u, v, N) < 1e-6;
    memcpy(u, v, sizeof u);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, W);
  }
  MPI_Finalize();
}
//// weights-ok
int main(int argc, char **argv) { // each rank has the numbers of all
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double *w = malloc((size_t)size * sizeof *w), sum = 0;
  for (int r = 0; r < size; r++) w[r] = 1.0 / (r + 1);
  for (int r = 0; r < size; r++) w[r] *= 0.5, sum += w[r];
  while (sum > 0.1) MPI_Bcast(&size, 1, MPI_INT, 0, W), sum *= 0.5;
  free(w);
  MPI_Finalize();
}
//// own-place-ok
int main(int argc, char **argv) { // the sum of a one and zeros
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double *w = calloc((size_t)size, sizeof *w), sum = 0;
  w[rank] = 1;
  for (int turn = 0; turn < 3; turn++)
    for (int r = 0; r < size; r++) w[r] *= 0.5;
  for (int r = 0; r < size; r++) sum += w[r];
  while (sum > 0.1) MPI_Bcast(&size, 1, MPI_INT, 0, W), sum *= 0.5;
  free(w);
  MPI_Finalize();
}
//// span-ok
int main(int argc, char **argv) { // as many turns on all ranks
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double low = rank * 2.0, high = low + 2, x = low;
  while (x < high) MPI_Barrier(W), x += 0.5;
  MPI_Finalize();
}
//// root-alone-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0}, most = 0;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  most = relax(u, v, N), memcpy(u, v, sizeof u);
  MPI_Comm part;
  MPI_Comm_split(W, rank, 0, &part);
  while (most > 1e-3) most = relax(u, v, N), memcpy(u, v, sizeof u), MPI_Barrier(part), MPI_Barrier(MPI_COMM_SELF);
  MPI_Comm_free(&part);
  MPI_Finalize();
}
//// other-function-ok
static double field[N + 2], next[N + 2];
static void share(void) { MPI_Bcast(field, N + 2, MPI_DOUBLE, 0, W); }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double r = 1;
  for (int i = 0; i < N + 2; i++) field[i] = sin(rank * N + i);
  while (r > 1e-6) {
    share();
    r = relax(field, next, N);
    memcpy(field, next, sizeof field);
  }
  MPI_Finalize();
}
//// window-ok
int main(int argc, char **argv) { // others may put anything there
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0}, r = 1;
  MPI_Win win;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  MPI_Win_create(u, sizeof u, sizeof *u, MPI_INFO_NULL, W, &win);
  while (r > 1e-6) {
    MPI_Win_fence(0, win);
    r = relax(u, v, N);
    memcpy(u, v, sizeof u);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// structure
struct sim {
  double t, dt, u[N + 2], v[N + 2], change;
};
static void step(struct sim *s) {
  s->change = 0;
  for (int i = 1; i <= N; i++) s->v[i] = 0.5 * (s->u[i - 1] + s->u[i + 1]), s->change += fabs(s->v[i] - s->u[i]);
  for (int i = 1; i <= N; i++) s->u[i] = s->v[i];
  s->t += s->dt;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank); // NOTE
  struct sim *s = calloc(1, sizeof *s);
  s->dt = 0.01, s->change = 1;
  for (int i = 0; i < N + 2; i++) s->u[i] = sin(rank * N + i);
  while (s->change > 1e-3) { // NOTE
    MPI_Barrier(W); // WARN
    step(s);
  }
  free(s);
  MPI_Finalize();
}
//// structure-ok
struct sim {
  double t, dt, u[N + 2], v[N + 2], change;
};
static void step(struct sim *s) {
  s->change = 0;
  for (int i = 1; i <= N; i++) s->v[i] = 0.5 * (s->u[i - 1] + s->u[i + 1]), s->change += fabs(s->v[i] - s->u[i]);
  for (int i = 1; i <= N; i++) s->u[i] = s->v[i];
  s->t += s->dt;
}
int main(int argc, char **argv) { // the time is equal on all ranks
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  struct sim *s = calloc(1, sizeof *s);
  s->dt = 0.01;
  for (int i = 0; i < N + 2; i++) s->u[i] = sin(rank * N + i);
  while (s->t < 1) {
    MPI_Barrier(W);
    step(s);
  }
  free(s);
  MPI_Finalize();
}
//// structure-of-coordinates-ok
struct mesh {
  double x[N + 2], u[N + 2], dx, t;
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  struct mesh m;
  for (int i = 0; i < N + 2; i++) m.x[i] = (rank * N + i) * 0.01, m.u[i] = sin(m.x[i]);
  m.dx = m.x[1] - m.x[0], m.t = 0;
  while (m.t < 1) {
    for (int i = 1; i <= N; i++) m.u[i] -= 0.5 * (m.u[i] - m.u[i - 1]);
    MPI_Barrier(W);
    m.t += 0.5 * m.dx;
  }
  MPI_Finalize();
}
//// sum-by-messages-ok
int main(int argc, char **argv) { // a sum of two numbers, made by recursive doubling
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double u[N + 2], v[N + 2] = {0}, mine[2] = {1, 1}, other[2];
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (mine[0] > 1e-6 * mine[1]) {
    mine[0] = relax(u, v, N), mine[1] = v[1];
    memcpy(u, v, sizeof u);
    for (int k = 1; k < size; k *= 2) {
      MPI_Sendrecv(mine, 2, MPI_DOUBLE, rank ^ k, 0, other, 2, MPI_DOUBLE, rank ^ k, 0, W, MPI_STATUS_IGNORE);
      mine[0] += other[0], mine[1] += other[1];
    }
    MPI_Barrier(W);
  }
  MPI_Finalize();
}
//// ring-sum-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double u[N + 2], v[N + 2] = {0}, sum = 1;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (sum > 1e-6) {
    double part = relax(u, v, N), next;
    memcpy(u, v, sizeof u);
    sum = part;
    for (int k = 1; k < size; k++) {
      MPI_Sendrecv(&part, 1, MPI_DOUBLE, (rank + 1) % size, 0, &next, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, W,
                   MPI_STATUS_IGNORE);
      part = next, sum += part;
    }
    MPI_Barrier(W);
  }
  MPI_Finalize();
}
//// conjugate-gradients-ok
static double dot(const double *a, const double *b) {
  double local = 0, all;
  for (int i = 1; i <= N; i++) local += a[i] * b[i];
  MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, W);
  return all;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double x[N + 2] = {0}, r[N + 2], p[N + 2], q[N + 2];
  for (int i = 0; i < N + 2; i++) p[i] = r[i] = sin(rank * N + i);
  double rho = dot(r, r);
  while (sqrt(rho) > 1e-6) {
    exchange(p, N, rank, size);
    for (int i = 1; i <= N; i++) q[i] = 2 * p[i] - p[i - 1] - p[i + 1];
    double alpha = rho / dot(p, q);
    for (int i = 1; i <= N; i++) x[i] += alpha * p[i], r[i] -= alpha * q[i];
    double old = rho;
    rho = dot(r, r);
    for (int i = 1; i <= N; i++) p[i] = r[i] + rho / old * p[i];
  }
  MPI_Finalize();
}
//// conjugate-gradients
static double dot(const double *a, const double *b, double *all) {
  double local = 0;
  for (int i = 1; i <= N; i++) local += a[i] * b[i];
  MPI_Allreduce(&local, all, 1, MPI_DOUBLE, MPI_SUM, W); // WARN
  return local;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size); // NOTE
  double x[N + 2] = {0}, r[N + 2], p[N + 2], q[N + 2], all, pq;
  for (int i = 0; i < N + 2; i++) p[i] = r[i] = sin(rank * N + i);
  double rho = dot(r, r, &all);
  while (sqrt(rho) > 1e-6) { // NOTE
    for (int i = 1; i <= N; i++) q[i] = 2 * p[i] - p[i - 1] - p[i + 1];
    dot(p, q, &pq);
    double alpha = all / pq;
    for (int i = 1; i <= N; i++) x[i] += alpha * p[i], r[i] -= alpha * q[i];
    double old = all;
    rho = dot(r, r, &all);
    for (int i = 1; i <= N; i++) p[i] = r[i] + all / old * p[i];
  }
  MPI_Finalize();
}
//// gathered-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(W, &rank), MPI_Comm_size(W, &size);
  double u[N + 2], v[N + 2] = {0}, *all = calloc((size_t)size, sizeof *all), most = 1;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (most > 1e-6) {
    all[rank] = relax(u, v, N);
    memcpy(u, v, sizeof u);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_DOUBLE, W);
    most = 0;
    for (int r = 0; r < size; r++) most = fmax(most, all[r]);
  }
  free(all);
  MPI_Finalize();
}
//// kept-pointer-ok
static double *kept;
static void reduce(void) { MPI_Allreduce(MPI_IN_PLACE, kept, 1, MPI_DOUBLE, MPI_MAX, W); }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  double u[N + 2], v[N + 2] = {0}, r[1] = {1};
  kept = r;
  for (int i = 0; i < N + 2; i++) u[i] = sin(rank * N + i);
  while (r[0] > 1e-6) {
    r[0] = relax(u, v, N);
    memcpy(u, v, sizeof u);
    reduce();
  }
  MPI_Finalize();
}
//// structure-in-the-heap-ok
struct mesh {
  double x[N + 2], u[N + 2], dx, t;
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(W, &rank);
  struct mesh *m = malloc(sizeof *m);
  for (int i = 0; i < N + 2; i++) m->x[i] = (rank * N + i) * 0.01, m->u[i] = sin(m->x[i]);
  for (int i = 0; i < N + 2; i++) m->x[i] *= 2;
  m->dx = m->x[1] - m->x[0], m->t = 0;
  while (m->t < 1) {
    for (int i = 1; i <= N; i++) m->u[i] -= 0.5 * (m->u[i] - m->u[i - 1]);
    MPI_Barrier(W);
    m->t += 0.5 * m->dx;
  }
  free(m);
  MPI_Finalize();
}
