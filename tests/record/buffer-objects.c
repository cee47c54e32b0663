// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s
// RUN: %mpirun-check -n 2 %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %mpicc-check -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CODE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose addresses have no bounds before the loop. The test before them asks for whole objects: heap blocks, variables, the stack. The
// receive fills the memory of the loop, or its neighbor.
// RIGHT-NOT: ==mpicc-check== {{ERROR|WARNING|NOTE}}
// RIGHT: ==mpicc-check== no errors found
// CODE-COUNT-5: @mck.test.object(
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#define LOOP __attribute__((noinline))

struct csr { int *j; double *data; };
struct matrix { struct csr *diag; double *x; int n; };

// CHECK-DAG: store by rank 0 {{.*}}buffer-objects.c:[[#@LINE+2]] in by_argument
LOOP static void by_argument(double *x, const int *index, int n) {
  for (int i = 0; i < n; i++) x[index[i]] += 1;
}

// CHECK-DAG: store by rank 0 {{.*}}buffer-objects.c:[[#@LINE+3]] in by_member
LOOP static void by_member(struct matrix *m, const int *index) {
  for (int i = 0; i < m->n; i++)
    m->x[index[i]] += 1;
}

// CHECK-DAG: store by rank 0 {{.*}}buffer-objects.c:[[#@LINE+3]] in by_members
LOOP static void by_members(struct matrix *m, const int *index) {
  for (int i = 0; i < m->n; i++)
    if (index[i] % 3) m->diag->data[m->diag->j[index[i]]] += 1;
}

static double *grid;
// CHECK-DAG: store by rank 0 {{.*}}buffer-objects.c:[[#@LINE+2]] in by_variable
LOOP static void by_variable(const int *index, int n) {
  for (int i = 0; i < n; i++) grid[index[i]] += 1;
}

static double table[2][4096];
// CHECK-DAG: store by rank 0 {{.*}}buffer-objects.c:[[#@LINE+2]] in by_table
LOOP static void by_table(const int *index, int n, int which) {
  for (int i = 0; i < n; i++) table[which][index[i]] += 1;
}

// CHECK-DAG: store by rank 0 {{.*}}buffer-objects.c:[[#@LINE+3]] in by_copy
LOOP static void by_copy(struct matrix *m, const int *index, const double *from) {
  for (int i = 0; i < m->n; i++)
    memcpy(m->x + index[i], from, (size_t)index[i] % 4 * sizeof *from);
}

// CHECK-DAG: store by rank 0 {{.*}}buffer-objects.c:[[#@LINE+2]] in backwards
LOOP static void backwards(double *end, const int *index, int n) {
  for (int i = 0; i < n; i++) end[-1 - index[i]] += 1;
}

enum { N = 4096 };
static int is_right;

static MPI_Request receive(double *wrong, double *right) {
  MPI_Request request;
  MPI_Irecv(is_right ? right : wrong, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
  return request;
}
static void wait_for(MPI_Request *request) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}
static void answer(int times) {
  static double values[N];
  for (int i = 0; i < times; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(values, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  is_right = argc > 1;
  if (rank) {
    answer(9);
  } else {
    double *x = calloc(N, sizeof *x), *other = calloc(N, sizeof *other), local[2][N] = {{0}};
    int *index = malloc(N * sizeof *index), order[N];
    for (int i = 0; i < N; i++) index[i] = order[i] = i * 7 % (N - 104);
    struct csr diag = {order, x};
    struct matrix *m = malloc(sizeof *m);
    *m = (struct matrix){&diag, x, N};
    grid = x;
    MPI_Request request = receive(x, other);
    by_argument(x, index, N), wait_for(&request);
    request = receive(x, other);
    by_member(m, index), wait_for(&request);
    request = receive(x, other);
    by_members(m, index), wait_for(&request);
    request = receive(x, other);
    by_variable(index, N), wait_for(&request);
    request = receive(table[1], other);
    by_table(index, N, 1), wait_for(&request);
    request = receive(x, other);
    by_copy(m, index, table[0]), wait_for(&request);
    request = receive(x, other);
    by_argument(x + 100, index, N - 104), wait_for(&request);
    request = receive(x, other);
    backwards(x + N, index, N), wait_for(&request);
    request = receive(local[1], local[0]);
    by_argument(local[1], index, N), wait_for(&request);
    free(x), free(other), free(index), free(m);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 9 errors
