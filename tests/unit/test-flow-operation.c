// RUN: %unit/test-flow-operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions computed again: the result of any order and association is accepted, in the arithmetic of the type itself.
// Another value than the standard allows is not: a result with one input missing, twice, or of another operation.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flow/operation.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))
enum { INPUTS = 16 };

static uint64_t state = 1;
static uint64_t draw(uint64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

static bool accepts(const struct mck_flow_operation *op, const void *in, size_t n, const void *result) {
  struct mck_flow_sum sum;
  char expected[96], came[96];
  mck_flow_begin(&sum, op, in);
  for (size_t i = 1; i < n; i++) mck_flow_add(&sum, op, (const uint8_t *)in + i * op->size);
  return mck_flow_accepts(&sum, op, result, expected, came, sizeof came);
}

// Joins two random parts until one is left: any order, any association.
#define REDUCE(TYPE, NAME)                                                                                             \
  static TYPE NAME(const TYPE *in, size_t n, uint32_t op) {                                                            \
    TYPE x[INPUTS];                                                                                                    \
    memcpy(x, in, n * sizeof *x);                                                                                      \
    while (n > 1) {                                                                                                    \
      size_t a = draw(n), b = draw(n - 1);                                                                             \
      if (b >= a) b++;                                                                                                 \
      if (op == MCK_OP_SUM) x[a] = (TYPE)(x[a] + x[b]);                                                                \
      else if (op == MCK_OP_PROD) x[a] = (TYPE)(x[a] * x[b]);                                                          \
      else if ((op == MCK_OP_MAX) == (x[b] > x[a])) x[a] = x[b];                                                       \
      x[b] = x[--n];                                                                                                   \
    }                                                                                                                  \
    return x[0];                                                                                                       \
  }
REDUCE(float, reduce_float)
REDUCE(double, reduce_double)
REDUCE(long double, reduce_long)
REDUCE(uint32_t, reduce_unsigned)
REDUCE(int16_t, reduce_short)

static double number(void) {
  double v = (double)draw(1000000) / 1000 - 400;
  return draw(4) ? v : v * 1e6;
}

#define TEST(TYPE, BASIC, REDUCER, DRAW)                                                                               \
  for (int round = 0; round < 20000; round++) {                                                                        \
    TYPE in[INPUTS], result, wrong;                                                                                    \
    size_t n = 2 + draw(INPUTS - 2);                                                                                   \
    uint32_t number_of = MCK_OP_MAX + (uint32_t)draw(4);                                                               \
    struct mck_flow_operation op;                                                                                      \
    for (size_t i = 0; i < n; i++) in[i] = (TYPE)(DRAW);                                                               \
    EXPECT(mck_flow_operation(&op, number_of, BASIC) && op.size == sizeof(TYPE));                                      \
    result = REDUCER(in, n, number_of);                                                                                \
    EXPECT(accepts(&op, in, n, &result));                                                                              \
    if (number_of != MCK_OP_SUM || !in[0]) continue;                                                                   \
    wrong = REDUCER(in + 1, n - 1, number_of); /* the first one is missing */                                          \
    double size = 0, apart = (double)(wrong - result);                                                                 \
    for (size_t i = 0; i < n; i++) size += fabs((double)in[i]);                                                        \
    double bound = (TYPE)0.5 == 0 ? 0 : 40 * (sizeof(TYPE) == 4 ? FLT_EPSILON : DBL_EPSILON) * size;                   \
    if (apart > bound || apart < -bound) EXPECT(!accepts(&op, in, n, &wrong));                                         \
  }

static void test_pairs(void) {
  struct pair {
    int value, index;
  } in[3] = {{5, 2}, {9, 1}, {9, 0}}, best = {9, 0}, other = {9, 1};
  struct mck_flow_operation op;
  EXPECT(mck_flow_operation(&op, MCK_OP_MAXLOC, MCK_BASIC_2INT));
  EXPECT(accepts(&op, in, 3, &best) && !accepts(&op, in, 3, &other)); // the lowest index (MPI-3.1 5.9.4)
  EXPECT(!mck_flow_operation(&op, MCK_OP_SUM, MCK_BASIC_2INT) && !mck_flow_operation(&op, MCK_OP_USER, MCK_BASIC_INT));
}

static void test_logical(void) {
  int in[2] = {3, 4}, yes = 17, no = 0;
  struct mck_flow_operation op;
  EXPECT(mck_flow_operation(&op, MCK_OP_LAND, MCK_BASIC_INT));
  EXPECT(accepts(&op, in, 2, &yes) && !accepts(&op, in, 2, &no));
  EXPECT(mck_flow_operation(&op, MCK_OP_BAND, MCK_BASIC_INT));
  EXPECT(accepts(&op, in, 2, &no) && !accepts(&op, in, 2, &yes));
}

int main(void) {
  TEST(float, MCK_BASIC_FLOAT, reduce_float, number())
  TEST(double, MCK_BASIC_DOUBLE, reduce_double, number())
  TEST(long double, MCK_BASIC_LONG_DOUBLE, reduce_long, number())
  TEST(uint32_t, MCK_BASIC_UINT32_T, reduce_unsigned, state >> 20 & 0xfffffff)
  TEST(int16_t, MCK_BASIC_SHORT, reduce_short, (int)(state >> 20 & 2047) - 1000)
  test_pairs();
  test_logical();
  printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
