// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with windows. A line with PROVED makes one whose memory needs no signals; the memory of all others is
// signalled, for what could come to it together with an operation.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 100
static void relax(double *a, int n) {
  for (int i = 1; i + 1 < n; i++) a[i] = 0.5 * (a[i - 1] + a[i + 1]);
}
//// stencil-ok
static void exchange(double *mem, double *edge, int rank, int size, MPI_Win win) {
  MPI_Win_fence(0, win);
  if (rank > 0) MPI_Put(&edge[0], 1, MPI_DOUBLE, rank - 1, N - 1, 1, MPI_DOUBLE, win);
  if (rank + 1 < size) MPI_Put(&edge[1], 1, MPI_DOUBLE, rank + 1, 0, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  mem[1] += 1;
}
int main(int argc, char **argv) {
  double *mem, edge[2];
  int rank, size;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win); // PROVED
  for (int i = 0; i < N; i++) mem[i] = rank;
  for (int t = 0; t < argc + 10; t++) {
    relax(mem, N);
    edge[0] = mem[1], edge[1] = mem[N - 2];
    exchange(mem, edge, rank, size, win);
  }
  printf("%g\n", mem[1]);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// stencil-from-window-memory-ok
int main(int argc, char **argv) {
  double *mem;
  int rank, size;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(0, win);
  for (int t = 0; t < 10; t++) { // the fences alternate, but an operation and a load share an epoch
    MPI_Put(&mem[1], 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, win);
    if (t == argc) mem[5] = 1;
    MPI_Win_fence(0, win);
    relax(mem, N);
    MPI_Win_fence(0, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// branch-fence-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(0, win);
  if (argc > 1) MPI_Win_fence(0, win); // arguments may differ
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  mem[0] = 1;
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// three-fences-ok
static double mem[N];
static MPI_Win win;
static void step(double *x, int to) {
  MPI_Win_fence(0, win);
  MPI_Put(x, 1, MPI_DOUBLE, to, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  mem[0] += 1;
  MPI_Win_fence(0, win);
}
int main(int argc, char **argv) {
  double x = 1;
  MPI_Init(&argc, &argv);
  MPI_Win_create(mem, sizeof mem, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win); // PROVED
  while (argc-- > 0) {
    mem[2] = argc;
    step(&x, 0);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// no-operation-ok
int main(int argc, char **argv) {
  double *mem = malloc(N * sizeof *mem), *other = malloc(N * sizeof *other), x = 2;
  MPI_Win win, second;
  MPI_Init(&argc, &argv);
  MPI_Win_create(mem, N * sizeof *mem, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win); // PROVED
  MPI_Win_create(other, N * sizeof *mem, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &second);
  MPI_Win_fence(0, second);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, second);
  mem[3] = other[3];
  MPI_Win_fence(0, second);
  relax(mem, N);
  MPI_Win_free(&second);
  MPI_Win_free(&win);
  MPI_Finalize();
  free(mem), free(other);
}
//// precede-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win); // PROVED
  mem[0] = 1;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  mem[0] = 1;
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// precede-untrue-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  mem[0] = 1;
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// no-store-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSTORE, win);
  mem[0] = 1;
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// unknown-call-ok
void help(void);
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  mem[0] = 1;
  help();
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// two-makers-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  if (argc > 1) { // who makes it here may meet who makes it there, and counts other fences
    MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
  } else {
    MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_fence(0, win);
    mem[1] = 2;
    MPI_Win_fence(0, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// made-in-loop-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  for (int t = 0; t < argc; t++) {
    MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    mem[0] = 1;
    MPI_Win_free(&win);
  }
  MPI_Finalize();
}
//// locks-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  mem[0] = 1;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  mem[0] = 1;
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// in-a-struct-ok
struct halo {
  MPI_Win win;
  double *mem;
  int rank;
};
static void begin(struct halo *h) { MPI_Win_fence(0, h->win); }
static void end(struct halo *h) { MPI_Win_fence(0, h->win); }
int main(int argc, char **argv) {
  double x = 1;
  struct halo h;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &h.rank);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &h.mem, &h.win); // PROVED
  memset(h.mem, 0, N * sizeof(double));
  for (int t = 0; t < 3; t++) {
    begin(&h);
    MPI_Accumulate(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, MPI_SUM, h.win);
    end(&h);
    h.mem[0] += h.mem[1];
  }
  MPI_Win_free(&h.win);
  MPI_Finalize();
}
//// asked-for-its-base-ok
int main(int argc, char **argv) {
  double *mem, *base, x = 1;
  int flag;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
  MPI_Win_fence(0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  base[0] = 1;
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// error-path-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(0, win);
  if (MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win) != MPI_SUCCESS) mem[0] = -1; // a way of the run, too
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// handler-ok
#include <signal.h>
static double mem[N];
static void on_signal(int number) { mem[0] = number; }
int main(int argc, char **argv) {
  double x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  signal(SIGUSR1, on_signal);
  MPI_Win_create(mem, sizeof mem, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// wrapped-calls-ok
#define CHECK(call) do { int e = (call); if (e != MPI_SUCCESS) { fprintf(stderr, "%d\n", e); MPI_Abort(MPI_COMM_WORLD, e); } } while (0)
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win)); // PROVED
  for (int t = 0; t < 4; t++) {
    CHECK(MPI_Win_fence(0, win));
    CHECK(MPI_Get(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win));
    CHECK(MPI_Win_fence(0, win));
    mem[0] += x;
  }
  CHECK(MPI_Win_free(&win));
  MPI_Finalize();
}
//// two-windows-ok
static MPI_Win of_sums, of_edges;
static void put(double *x, int to) {
  MPI_Win_fence(0, of_edges);
  MPI_Put(x, 1, MPI_DOUBLE, to, 1, 1, MPI_DOUBLE, of_edges);
  MPI_Win_fence(0, of_edges);
}
int main(int argc, char **argv) {
  double *sums, *edges, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &sums, &of_sums); // PROVED
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &edges, &of_edges); // PROVED
  for (int t = 0; t < argc; t++) {
    sums[t] = edges[1];
    put(&x, 0);
    MPI_Win_fence(0, of_sums);
    MPI_Accumulate(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, MPI_SUM, of_sums);
    MPI_Win_fence(0, of_sums);
  }
  MPI_Win_free(&of_sums);
  MPI_Win_free(&of_edges);
  MPI_Finalize();
}
//// handle-of-two-windows-ok
int main(int argc, char **argv) {
  double *sums, *edges, x = 1;
  MPI_Win a, b;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &sums, &a);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &edges, &b);
  MPI_Win either = argc > 1 ? a : b;
  sums[0] = edges[0] = 1;
  MPI_Win_fence(0, either);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, either);
  MPI_Win_fence(0, either);
  sums[0] = edges[0];
  MPI_Win_free(&a);
  MPI_Win_free(&b);
  MPI_Finalize();
}
//// recursion-ok
static void down(double *mem, double *x, MPI_Win win, int n) {
  MPI_Win_fence(0, win);
  MPI_Put(x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  if (n > 0) down(mem, x, win, n - 1);
}
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  down(mem, &x, win, argc);
  mem[0] = 1;
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// communicator-by-rank-ok
int main(int argc, char **argv) {
  double *mem, x = 1;
  MPI_Comm one, two;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_dup(MPI_COMM_WORLD, &two);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, argc > 1 ? one : two, &mem, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  mem[0] = 1;
  MPI_Win_free(&win);
  MPI_Comm_free(&one);
  MPI_Comm_free(&two);
  MPI_Finalize();
}
