// RUN: %mpicc-check -DWRONG %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check %s -o %t
// RUN: %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations with side effects, which are never called twice (MPI-3.1 5.9.5): what they write beyond their elements.
// OK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>

typedef struct { double value; char mark; } sample;
static long calls, elements;
#ifdef WRONG
enum { MORE = 1, BEFORE = 1 };
#else
enum { MORE = 0, BEFORE = 0 };
#endif

static void add(void *in, void *inout, int *len, MPI_Datatype *t) {
  int *a = in, *b = inout;
  (void)t, calls++, elements += *len;
  for (int i = 0; i < *len + MORE; i++) b[i] += a[i];
}
static void add_back(void *in, void *inout, int *len, MPI_Datatype *t) {
  double *a = in, *b = inout;
  (void)t, calls++;
  for (int i = *len; --i >= -BEFORE;) b[i] += a[i];
}
static void latest(void *in, void *inout, int *len, MPI_Datatype *t) { // assigns what is between the members, too
  sample *a = in, *b = inout;
  (void)t, calls++;
  for (int i = 0; i < *len; i++)
    if (a[i].value > b[i].value) b[i] = a[i];
}
static void sum(void *in, void *inout, int *len, MPI_Datatype *t) { // many elements
  int *a = in, *b = inout;
  (void)t, calls++;
  for (int i = 0; i < *len; i++) b[i] += a[i];
}
static void chain(void *in, void *inout, int *len, MPI_Datatype *t) { // of the program's own buffers it knows more
  int *a = in, *b = inout;
  (void)t, calls++;
  for (int i = 0; i < *len; i++) b[i] += a[i];
  if (*len == 3) b[3] = b[2];
}

static void largest(void *in, void *inout, int *len, MPI_Datatype *t) { // it may be called twice
  double *a = in, *b = inout;
  (void)t;
  for (int i = 0; i < *len + MORE; i++) b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void expect(int is_right) { if (!is_right) MPI_Abort(MPI_COMM_WORLD, 9); }

int main(int argc, char **argv) {
  enum { MANY = 100000 };
  int rank, x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {0};
  double v[6] = {1, 2, 3, 4, 5, 6}, w[6] = {0};
  sample s[3] = {{1, 'a'}, {2, 'b'}, {3, 'c'}}, r[3] = {{0, 0}, {0, 0}, {0, 0}};
  MPI_Op op;
  MPI_Datatype made, type;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: ERROR [collective.user-op] an operation of the program writes beyond the elements that it gets
  // CHECK: the operation was made by MPI_Op_create {{.*}}user-op-beyond.c:[[#@LINE+3]] in main
  // CHECK: MPI_Reduce calls it {{.*}}user-op-beyond.c:[[#@LINE+3]] in main
  // CHECK: called for *len = 5, it writes 4 bytes behind the last element
  MPI_Op_create(add, 1, &op);
  MPI_Reduce(x, y, 5, MPI_INT, op, 0, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  if (rank == 0) expect(y[0] == 2 && y[4] == 10 && y[5] == 0 && calls == 1 && elements == 5);
  // CHECK: ERROR [collective.user-op] an operation of the program writes beyond the elements that it gets
  // CHECK: MPI_Op_create {{.*}}user-op-beyond.c:[[#@LINE+2]] in main
  // CHECK: called for *len = {{[0-9]+}}, it writes {{[0-9]+}} bytes behind the last element
  MPI_Op_create(largest, 1, &op);
  MPI_Reduce(v, w + 1, 4, MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  // CHECK: ERROR [collective.user-op] an operation of the program writes beyond the elements that it gets
  // CHECK: MPI_Op_create {{.*}}user-op-beyond.c:[[#@LINE+2]] in main
  // CHECK: called for *len = {{[0-9]+}}, it writes {{[0-9]+}} bytes before the first element
  MPI_Op_create(add_back, 1, &op);
  MPI_Allreduce(v, w + 1, 4, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  expect(w[0] == 0 && w[1] == 2 && w[4] == 8);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &made);
  MPI_Type_create_resized(made, 0, sizeof(sample), &type), MPI_Type_commit(&type), MPI_Type_free(&made);
  s[1].value += rank;
  MPI_Op_create(latest, 1, &op);
  MPI_Reduce(s, r, 3, type, op, 0, MPI_COMM_WORLD);
  MPI_Op_free(&op), MPI_Type_free(&type);
  if (rank == 0) expect(r[1].value == 3 && r[1].mark == 'b' && r[2].value == 3);
  int *many = malloc(MANY * sizeof *many), *all = malloc(MANY * sizeof *all);
  for (int i = 0; i < MANY; i++) many[i] = i;
  MPI_Op_create(sum, 1, &op);
  MPI_Allreduce(many, all, MANY, MPI_INT, op, MPI_COMM_WORLD);
  expect(all[1] == 2 && all[MANY - 1] == 2 * (MANY - 1));
  MPI_Op_free(&op);
  free(many), free(all);
  MPI_Op_create(chain, 1, &op);
  MPI_Reduce_local(x, y, 3, MPI_INT, op);
  expect(y[3] == y[2]);
  MPI_Op_free(&op);
  // CHECK: ==mpicc-check== 3 errors
  MPI_Finalize();
  return 0;
}
