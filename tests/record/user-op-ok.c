// RUN: %mpicc-check %s -o %t -lm
// RUN: %expect 0 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O3 %s -o %t -lm
// RUN: %expect 0 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 -ffast-math %s -o %t -lm
// RUN: %expect 0 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations as MPI-3.1 5.9.5 wants them: exact ones, ones that round, ones with side effects, which MPI calls as often
// as without us.
// CHECK: ==mpicc-check== no errors found
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERATION(name, type, ...) static void name(void *in, void *inout, int *len, MPI_Datatype *t) { type *a = in, *b = inout; (void)t; __VA_ARGS__ }
#define EACH for (int i = 0; i < *len; i++)
#define ONE(name, type, expression) OPERATION(name, type, EACH { type x = a[i], y = b[i]; b[i] = (expression); })
typedef struct { int64_t v[4]; } matrix;
typedef struct { double value; int index; } best;
typedef struct { double sum, rest; } kahan;
typedef struct { double n, mean, m2; } moments;
typedef struct { uint32_t power, hash; } poly;
typedef struct { int low, high; } range;
typedef struct { int64_t mul, add; } affine;
typedef struct { int n; int top[4]; } top;
typedef struct { double re, im; } pair;
typedef struct { alignas(32) double lanes[4]; } wide;
typedef struct { char tag; int key; double gap; float value; } sparse;
typedef struct { int n; char text[28]; } list;

ONE(sum_int, int, x + y)
ONE(sum_short, short, (short)(x + y))
ONE(sum_double, double, x + y)
ONE(sum_float, float, x + y)
ONE(sum_long_double, long double, x + y)
ONE(product, double, x * y)
ONE(mod_sum, unsigned, (x % 97 + y % 97) % 97)
ONE(bits_and, unsigned, x & y)
ONE(bits_or, unsigned, x | y)
ONE(bits_xor, uint64_t, x ^ y)
ONE(largest, double, x > y ? x : y)
ONE(smallest, float, fminf(x, y))
ONE(saturate, uint8_t, (uint8_t)(x + y > 255 ? 255 : x + y))
ONE(log_sum, double, fmax(x, y) + log1p(exp(-fabs(x - y))))
ONE(norm, double, hypot(x, y))
ONE(harmonic, double, 1 / (1 / x + 1 / y))
ONE(complex_product, double complex, x * y)
ONE(keep_left, int, x)
static int common(int x, int y) { while (y) { int r = x % y; x = y, y = r; } return x; }
ONE(divisor, int, common(x, y))
ONE(counts, int, x + y)
static matrix times(matrix x, matrix y) { matrix p; for (int k = 0; k < 4; k++) p.v[k] = (x.v[k & 2] * y.v[k & 1] + x.v[k | 1] * y.v[k | 2]) % 1000003; return p; }
ONE(matrix_product, matrix, times(x, y))
ONE(compose, affine, ((affine){x.mul * y.mul % 10007, (x.mul * y.add + x.add) % 10007}))
ONE(polynomial, poly, ((poly){x.power * y.power, x.hash * y.power + y.hash}))
ONE(hull, range, ((range){x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high}))
OPERATION(arg_least, best, EACH if (a[i].value < b[i].value || (a[i].value == b[i].value && a[i].index < b[i].index)) b[i] = a[i];)
OPERATION(first_least, best, EACH if (a[i].value <= b[i].value) b[i] = a[i];)
OPERATION(arg_sum, best, EACH { b[i].value += a[i].value; b[i].index = b[i].index > a[i].index ? b[i].index : a[i].index; })
OPERATION(compensated, kahan, EACH { double y = a[i].sum - (a[i].rest + b[i].rest), s = b[i].sum + y; b[i].rest = (s - b[i].sum) - y; b[i].sum = s; })
OPERATION(variance, moments, EACH { double n = a[i].n + b[i].n, d = b[i].mean - a[i].mean; b[i].m2 += a[i].m2 + d * d * a[i].n * b[i].n / n; b[i].mean = (a[i].n * a[i].mean + b[i].n * b[i].mean) / n; b[i].n = n; })
OPERATION(top_four, top, EACH { top m = {0, {0}}; int p = 0, q = 0; while (m.n < 4 && (p < a[i].n || q < b[i].n)) m.top[m.n++] = q >= b[i].n || (p < a[i].n && a[i].top[p] >= b[i].top[q]) ? a[i].top[p++] : b[i].top[q++]; b[i] = m; })
OPERATION(rotate, pair, EACH { pair p = {a[i].re * b[i].re - a[i].im * b[i].im, a[i].re * b[i].im + a[i].im * b[i].re}; b[i] = p; })
OPERATION(lanes, wide, EACH for (int k = 0; k < 4; k++) b[i].lanes[k] += a[i].lanes[k];)
OPERATION(with_gaps, sparse, EACH { sparse s = b[i]; s.key += a[i].key; s.value = fmaxf(s.value, a[i].value); b[i] = s; })
OPERATION(append, list, EACH { list all = a[i]; memcpy(all.text + all.n, b[i].text, (size_t)b[i].n); all.n += b[i].n; b[i] = all; })
OPERATION(by_size, char, int size; MPI_Type_size(*t, &size); for (int i = 0; i < *len * size; i++) b[i] = (char)(a[i] | b[i]);)
OPERATION(blob_min, double, EACH if (a[i] < b[i]) b[i] = a[i];)
OPERATION(down, int, for (int i = *len; i-- > 0;) b[i] += a[i];)
OPERATION(moving, int, for (int *end = b + *len; b < end;) *b++ += *a++;)
// Side effects: these are never called more often.
static int calls, seen[2];
OPERATION(counting, int, calls++; EACH b[i] += a[i];)
OPERATION(noisy, int, seen[0] += *len; EACH { if (a[i] < -1000000) printf("%d\n", a[i]); b[i] += a[i]; })
OPERATION(allocating, int, int *c = malloc(sizeof *c * (size_t)*len); if (!c) abort(); EACH c[i] = a[i] + b[i]; EACH b[i] = c[i]; free(c);)
OPERATION(drawing, int, EACH b[i] = rand() % 2 ? a[i] : b[i];)

static int rank;
static alignas(64) char in[8192], out[8192];
static void reduce(MPI_User_function *function, int commute, int count, MPI_Datatype type) {
  MPI_Op op;
  MPI_Request request;
  int is_commutative;
  MPI_Op_create(function, commute, &op);
  MPI_Op_commutative(op, &is_commutative);
  if (is_commutative != commute) abort();
  MPI_Allreduce(in, out, count, type, op, MPI_COMM_WORLD);
  MPI_Reduce(in, out, count, type, op, 0, MPI_COMM_WORLD);
  MPI_Scan(in, out, count, type, op, MPI_COMM_WORLD);
  memcpy(out, in, sizeof out);
  MPI_Reduce_local(in, out, count, type, op);
  MPI_Iallreduce(in, out, count, type, op, MPI_COMM_WORLD, &request);
  MPI_Op_free(&op);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
#define FILL(type, ...) for (int i = 0; i < 60; i++) { type v = __VA_ARGS__; memcpy(in + (size_t)i * sizeof v, &v, sizeof v); }

static MPI_Datatype made(int n, const MPI_Aint *at, const MPI_Datatype *types, const int *counts, MPI_Aint extent) {
  MPI_Datatype parts, all;
  MPI_Type_create_struct(n, counts, at, types, &parts);
  MPI_Type_create_resized(parts, 0, extent, &all);
  MPI_Type_free(&parts);
  MPI_Type_commit(&all);
  return all;
}
static MPI_Datatype several(int n, MPI_Datatype type) { return made(1, (MPI_Aint[]){0}, &type, &n, n * (type == MPI_DOUBLE || type == MPI_LONG ? 8 : 4)); }

static void structures(void) {
  MPI_Datatype t;
  FILL(matrix, {{rank + i, 2, i, 3}}) t = several(4, MPI_LONG), reduce(matrix_product, 0, 5, t), MPI_Type_free(&t);
  FILL(affine, {rank + 2, i}) t = several(2, MPI_LONG), reduce(compose, 0, 5, t), MPI_Type_free(&t);
  FILL(poly, {31, (unsigned)(rank + i)}) t = several(2, MPI_UNSIGNED), reduce(polynomial, 0, 5, t), MPI_Type_free(&t);
  FILL(range, {rank - i, rank + i}) t = several(2, MPI_INT), reduce(hull, 1, 9, t), MPI_Type_free(&t);
  FILL(best, {(rank + i) % 3, rank}) reduce(arg_least, 1, 9, MPI_DOUBLE_INT);
  reduce(first_least, 0, 9, MPI_DOUBLE_INT);
  FILL(best, {1e16 / (rank + 1) - i, rank}) reduce(arg_sum, 1, 9, MPI_DOUBLE_INT);
  FILL(kahan, {1e10 / (rank + i + 1) - 1e9, 0}) t = several(2, MPI_DOUBLE), reduce(compensated, 1, 9, t), MPI_Type_free(&t);
  FILL(moments, {1 + rank, 1e3 + i * .1 + rank, .5}) t = several(3, MPI_DOUBLE), reduce(variance, 1, 9, t), MPI_Type_free(&t);
  FILL(top, {3, {90 + rank, 50 - rank, rank}}) t = several(5, MPI_INT), reduce(top_four, 1, 9, t), MPI_Type_free(&t);
  FILL(pair, {cos(rank + i), sin(rank + i)}) t = several(2, MPI_DOUBLE), reduce(rotate, 1, 9, t), MPI_Type_free(&t);
  FILL(wide, {{rank, i, .1, 1e-9 * i}}) t = several(4, MPI_DOUBLE), reduce(lanes, 1, 9, t), MPI_Type_free(&t);
  FILL(sparse, {'x', i, rank, .1f * (float)i})
  t = made(2, (MPI_Aint[]){offsetof(sparse, key), offsetof(sparse, value)}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, (int[]){1, 1}, sizeof(sparse));
  reduce(with_gaps, 1, 9, t), MPI_Type_free(&t);
  FILL(list, {2, {(char)('a' + rank), (char)('0' + i % 10)}})
  t = made(2, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, (int[]){1, 28}, sizeof(list));
  reduce(append, 0, 9, t), MPI_Type_free(&t);
  FILL(double, rank * 1.5 - i) t = made(1, (MPI_Aint[]){0}, (MPI_Datatype[]){MPI_BYTE}, (int[]){8}, 8), reduce(blob_min, 1, 9, t), MPI_Type_free(&t);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILL(int, 7 * i - rank * (i + 3) + 11)
  MPI_User_function *const of_int[] = {sum_int, divisor, counts, down, moving, allocating, by_size};
  for (int k = 0; k < 7; k++) reduce(of_int[k], 1, 50, MPI_INT);
  reduce(keep_left, 0, 50, MPI_INT), reduce(noisy, 1, 50, MPI_INT), reduce(drawing, 1, 50, MPI_INT);
  reduce(mod_sum, 1, 50, MPI_UNSIGNED), reduce(bits_and, 1, 50, MPI_UNSIGNED), reduce(bits_or, 1, 50, MPI_UNSIGNED);
  reduce(bits_xor, 1, 25, MPI_UINT64_T), reduce(sum_short, 1, 50, MPI_SHORT), reduce(saturate, 1, 50, MPI_UINT8_T);
  FILL(double, (rank % 2 ? -1e15 : 1e15) + i * .37 + rank) reduce(sum_double, 1, 50, MPI_DOUBLE);
  FILL(double, rank * .7 + i * .01 + .1)
  MPI_User_function *const of_double[] = {product, largest, log_sum, norm, harmonic, sum_double};
  for (int k = 0; k < 6; k++) reduce(of_double[k], 1, 50, MPI_DOUBLE);
  FILL(float, (float)(rank % 2 ? -3e6 : 3e6) + (float)i * .37f) reduce(sum_float, 1, 50, MPI_FLOAT), reduce(smallest, 1, 50, MPI_FLOAT);
  FILL(long double, rank + .1L * i) reduce(sum_long_double, 1, 20, MPI_LONG_DOUBLE);
  FILL(double complex, rank + 1 - i * .3 * I) reduce(complex_product, 1, 20, MPI_C_DOUBLE_COMPLEX);
  structures();
  FILL(int, i)
  MPI_Op op;
  MPI_Op_create(counting, 1, &op);
  for (int i = 0; i < 100; i++) MPI_Reduce_local(in, out, 50, MPI_INT, op);
  MPI_Op_free(&op);
  if (calls != 100) abort();   // not once more
  MPI_Finalize();
  return 0;
}
