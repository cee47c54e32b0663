// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=user_op_calls=0 %expect 0 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --check-prefix=OFF --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that break the rules of MPI-3.1 5.9.5.
// OFF: ==mpicc-check== no errors found
#include <mpi.h>
#include <string.h>

#define OPERATION(name, type, ...) static void name(void *in, void *inout, int *len, MPI_Datatype *t) { type *a = in, *b = inout; (void)t; __VA_ARGS__ }
#define EACH for (int i = 0; i < *len; i++)
typedef struct { long v[4]; } matrix;
typedef struct { int n; char text[20]; } list;
typedef struct { double value; int time; } sample;
static int calls;

OPERATION(subtract, int, EACH b[i] = a[i] - b[i];)
OPERATION(average, double, EACH b[i] = (a[i] + b[i]) / 2;)
OPERATION(multiply, matrix, EACH { matrix p, *x = &a[i], *y = &b[i]; for (int k = 0; k < 4; k++) p.v[k] = x->v[k & 2] * y->v[k & 1] + x->v[k | 1] * y->v[k | 2]; *y = p; })
OPERATION(append, list, EACH { list all = a[i]; for (int k = 0; k < b[i].n; k++) all.text[all.n++] = b[i].text[k]; b[i] = all; })
OPERATION(latest, sample, EACH { if (a[i].time >= 0) b[i] = a[i]; })
OPERATION(hash, unsigned, EACH b[i] = a[i] * 31 + b[i];)
OPERATION(clear, int, EACH { b[i] += a[i]; a[i] = 0; })
OPERATION(count_and_clear, int, calls++; EACH { b[i] += a[i]; a[i] = 0; })
OPERATION(first_only, int, (void)len; b[0] += a[0];)
OPERATION(one_more, int, for (int i = 0; i <= *len; i++) b[i] += a[i];)
OPERATION(always_six, int, (void)len; for (int i = 0; i < 6; i++) b[i] += a[i];)
OPERATION(pairs, double, for (int i = 0; i + 1 < *len; i += 2) { b[i] += a[i]; b[i + 1] += a[i + 1]; })
OPERATION(prefix, int, for (int i = 0; i < *len; i++) b[i] = a[i] + b[i] + (i ? b[i - 1] : 0);)
OPERATION(reverse, long, EACH b[i] = 2 * a[i] - b[i] + 1;)

static int rank;
static double buffer[64], result[64];
static void fill_ints(void) { int *x = (int *)buffer; for (int i = 0; i < 64; i++) x[i] = 3 * i + rank * (i + 2) + 1; }
static void fill_doubles(void) { for (int i = 0; i < 64; i++) buffer[i] = 3 * i + rank * (i + 2) + 1; }
static void reduce(MPI_Op op, int count, MPI_Datatype type) {
  MPI_Allreduce(buffer, result, count, type, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
}

int main(int argc, char **argv) {
  MPI_Op op;
  MPI_Datatype of_matrix, of_list, of_sample, made;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_contiguous(4, MPI_LONG, &of_matrix), MPI_Type_commit(&of_matrix);
  MPI_Type_create_struct(2, (int[]){1, 20}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, &of_list), MPI_Type_commit(&of_list);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &made);
  MPI_Type_create_resized(made, 0, sizeof(sample), &of_sample), MPI_Type_commit(&of_sample), MPI_Type_free(&made);
  fill_ints();
  // CHECK: ERROR [collective.user-op] an operation of the program is declared commutative, and is not
  // CHECK: the operation was made by MPI_Op_create {{.*}}user-op.c:[[#@LINE+5]] in main
  // CHECK: MPI_Allreduce calls it
  // CHECK: the numbers at byte 0 of the element: a {{[0-9]+}}, b {{[0-9]+}}, a o b {{-?[0-9]+}}, b o a {{-?[0-9]+}}
  // CHECK: ERROR [collective.user-op] an operation of the program is not associative
  // CHECK: the operation was made by MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(subtract, 1, &op), reduce(op, 7, MPI_INT);
  // CHECK: ERROR [collective.user-op] an operation of the program is declared commutative, and is not
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+3]] in main
  // CHECK: ERROR [collective.user-op] an operation of the program is not associative
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(hash, 1, &op), reduce(op, 7, MPI_UNSIGNED);
  // CHECK: ERROR [collective.user-op] an operation of the program writes its first argument, invec
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(clear, 1, &op), reduce(op, 7, MPI_INT);
  // CHECK: ERROR [collective.user-op] an operation of the program writes its first argument, invec
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(count_and_clear, 1, &op), reduce(op, 7, MPI_INT);
  // CHECK: ERROR [collective.user-op] an operation of the program does not combine the *len elements that it gets one by one
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(first_only, 1, &op), reduce(op, 7, MPI_INT);
  // CHECK: ERROR [collective.user-op] an operation of the program writes beyond the elements that it gets
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+3]] in main
  // CHECK: MPI_Allreduce calls it
  // CHECK: called for *len = 7, it writes 4 bytes behind the last element
  MPI_Op_create(one_more, 1, &op), reduce(op, 7, MPI_INT);
  // CHECK: ERROR [collective.user-op] an operation of the program writes beyond the elements that it gets
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+3]] in main
  // CHECK: MPI_Allreduce calls it
  // CHECK: called for *len = 1, it writes 20 bytes behind the last element
  MPI_Op_create(always_six, 1, &op), reduce(op, 6, MPI_INT);
  // CHECK: ERROR [collective.user-op] an operation of the program does not combine the *len elements that it gets one by one
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(prefix, 0, &op), reduce(op, 7, MPI_INT);
  fill_doubles();
  // CHECK: ERROR [collective.user-op] an operation of the program is not associative
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(average, 1, &op), reduce(op, 7, MPI_DOUBLE);
  // CHECK: ERROR [collective.user-op] an operation of the program does not combine the *len elements that it gets one by one
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(pairs, 1, &op), reduce(op, 8, MPI_DOUBLE);
  for (int i = 0; i < 8; i++) ((long *)buffer)[i] = rank * 5 + i * i + 1;
  // CHECK: ERROR [collective.user-op] an operation of the program is declared commutative, and is not
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(multiply, 1, &op), reduce(op, 2, of_matrix);
  // CHECK: ERROR [collective.user-op] an operation of the program is not associative
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(reverse, 0, &op), reduce(op, 3, MPI_LONG);
  list one = {3, {(char)('a' + rank), '-', (char)('0' + rank)}};
  memcpy(buffer, &one, sizeof one);
  // CHECK: ERROR [collective.user-op] an operation of the program is declared commutative, and is not
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(append, 1, &op), reduce(op, 1, of_list);
  for (int i = 0; i < 3; i++) ((sample *)buffer)[i] = (sample){rank + i, rank};
  // CHECK: ERROR [collective.user-op] an operation of the program is declared commutative, and is not
  // CHECK: MPI_Op_create {{.*}}user-op.c:[[#@LINE+1]] in main
  MPI_Op_create(latest, 1, &op), reduce(op, 3, of_sample);
  MPI_Type_free(&of_matrix), MPI_Type_free(&of_list), MPI_Type_free(&of_sample);
  MPI_Finalize();
  return calls < 0;
}
// CHECK: ==mpicc-check== 16 errors, 0 warnings, 0 notes
