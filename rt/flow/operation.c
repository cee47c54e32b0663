// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes reductions again, number by number. long double has 64 bits of mantissa: its own rounding is below the bound
// for float and double. For long double itself the bound is doubled.
#include "flow/operation.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Types whose elements are one number. LOGICAL: of Fortran, whose true value is the compiler's.
static const struct row {
  uint32_t basic;
  enum mck_flow_form form;
  uint8_t part, index;
  bool is_float;
} rows[] = {
    {MCK_BASIC_CHAR, MCK_FLOW_INTEGER, 1, 0, false},
    {MCK_BASIC_SIGNED_CHAR, MCK_FLOW_INTEGER, 1, 0, false},
    {MCK_BASIC_UNSIGNED_CHAR, MCK_FLOW_UNSIGNED, 1, 0, false},
    {MCK_BASIC_BYTE, MCK_FLOW_UNSIGNED, 1, 0, false},
    {MCK_BASIC_SHORT, MCK_FLOW_INTEGER, 2, 0, false},
    {MCK_BASIC_UNSIGNED_SHORT, MCK_FLOW_UNSIGNED, 2, 0, false},
    {MCK_BASIC_INT, MCK_FLOW_INTEGER, 4, 0, false},
    {MCK_BASIC_UNSIGNED, MCK_FLOW_UNSIGNED, 4, 0, false},
    {MCK_BASIC_LONG, MCK_FLOW_INTEGER, 8, 0, false},
    {MCK_BASIC_UNSIGNED_LONG, MCK_FLOW_UNSIGNED, 8, 0, false},
    {MCK_BASIC_LONG_LONG_INT, MCK_FLOW_INTEGER, 8, 0, false},
    {MCK_BASIC_UNSIGNED_LONG_LONG, MCK_FLOW_UNSIGNED, 8, 0, false},
    {MCK_BASIC_INT8_T, MCK_FLOW_INTEGER, 1, 0, false},
    {MCK_BASIC_UINT8_T, MCK_FLOW_UNSIGNED, 1, 0, false},
    {MCK_BASIC_INT16_T, MCK_FLOW_INTEGER, 2, 0, false},
    {MCK_BASIC_UINT16_T, MCK_FLOW_UNSIGNED, 2, 0, false},
    {MCK_BASIC_INT32_T, MCK_FLOW_INTEGER, 4, 0, false},
    {MCK_BASIC_UINT32_T, MCK_FLOW_UNSIGNED, 4, 0, false},
    {MCK_BASIC_INT64_T, MCK_FLOW_INTEGER, 8, 0, false},
    {MCK_BASIC_UINT64_T, MCK_FLOW_UNSIGNED, 8, 0, false},
    {MCK_BASIC_AINT, MCK_FLOW_INTEGER, 8, 0, false},
    {MCK_BASIC_OFFSET, MCK_FLOW_INTEGER, 8, 0, false},
    {MCK_BASIC_COUNT, MCK_FLOW_INTEGER, 8, 0, false},
    {MCK_BASIC_C_BOOL, MCK_FLOW_UNSIGNED, 1, 0, false},
    {MCK_BASIC_FLOAT, MCK_FLOW_FLOAT, 4, 0, true},
    {MCK_BASIC_DOUBLE, MCK_FLOW_FLOAT, 8, 0, true},
    {MCK_BASIC_LONG_DOUBLE, MCK_FLOW_FLOAT, 16, 0, true},
    {MCK_BASIC_C_FLOAT_COMPLEX, MCK_FLOW_COMPLEX, 4, 0, true},
    {MCK_BASIC_C_DOUBLE_COMPLEX, MCK_FLOW_COMPLEX, 8, 0, true},
    {MCK_BASIC_FLOAT_INT, MCK_FLOW_PAIR, 4, 4, true},
    {MCK_BASIC_DOUBLE_INT, MCK_FLOW_PAIR, 8, 4, true},
    {MCK_BASIC_LONG_INT, MCK_FLOW_PAIR, 8, 4, false},
    {MCK_BASIC_2INT, MCK_FLOW_PAIR, 4, 4, false},
    {MCK_BASIC_SHORT_INT, MCK_FLOW_PAIR, 2, 4, false},
    {MCK_BASIC_INTEGER, MCK_FLOW_INTEGER, 4, 0, false},
    {MCK_BASIC_REAL, MCK_FLOW_FLOAT, 4, 0, true},
    {MCK_BASIC_DOUBLE_PRECISION, MCK_FLOW_FLOAT, 8, 0, true},
    {MCK_BASIC_COMPLEX, MCK_FLOW_COMPLEX, 4, 0, true},
    {MCK_BASIC_DOUBLE_COMPLEX, MCK_FLOW_COMPLEX, 8, 0, true},
};

static bool is_logical(uint32_t op) { return op == MCK_OP_LAND || op == MCK_OP_LOR || op == MCK_OP_LXOR; }

bool mck_flow_operation(struct mck_flow_operation *op, uint32_t number, uint32_t basic) {
  bool is_location = number == MCK_OP_MINLOC || number == MCK_OP_MAXLOC;
  if (number < MCK_OP_MAX || number > MCK_OP_MAXLOC) return false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *r = &rows[i];
    if (r->basic != basic) continue;
    uint32_t size = r->form == MCK_FLOW_COMPLEX ? 2u * r->part : (uint32_t)r->part + r->index;
    bool is_number = r->form == MCK_FLOW_FLOAT || r->form == MCK_FLOW_COMPLEX;
    *op = (struct mck_flow_operation){number,
                                      size,
                                      r->form,
                                      r->part,
                                      r->index,
                                      r->is_float,
                                      is_logical(number),
                                      !is_number || number == MCK_OP_MAX || number == MCK_OP_MIN};
    if (is_location != (r->form == MCK_FLOW_PAIR)) return false;
    if (is_number && number != MCK_OP_SUM && number != MCK_OP_PROD && r->form == MCK_FLOW_COMPLEX) return false;
    return !is_number || number <= MCK_OP_PROD;
  }
  return false;
}

static uint64_t read_integer(const uint8_t *p, uint32_t size, bool is_signed) {
  uint64_t v = 0;
  memcpy(&v, p, size);
  if (is_signed && size < 8 && v >> (8 * size - 1)) v |= UINT64_MAX << (8 * size);
  return v;
}
static long double read_float(const uint8_t *p, uint32_t size) {
  float f;
  double d;
  long double l;
  switch (size) {
  case 4: return memcpy(&f, p, 4), f;
  case 8: return memcpy(&d, p, 8), d;
  default: return memcpy(&l, p, sizeof l), l;
  }
}
static bool is_signed(const struct mck_flow_operation *op) { return op->form != MCK_FLOW_UNSIGNED; }

static void note_factor(struct mck_flow_sum *s, long double size) {
  if (size > 1) s->large *= size;
  else s->small *= size;
}

void mck_flow_begin(struct mck_flow_sum *s, const struct mck_flow_operation *op, const uint8_t *e) {
  *s = (struct mck_flow_sum){.n = 1};
  if (op->is_float)
    for (uint32_t k = 0; k < (op->form == MCK_FLOW_COMPLEX ? 2 : 1); k++) {
      s->value[k] = read_float(e + k * op->part, op->part), s->magnitude[k] = fabsl(s->value[k]);
      s->is_open |= !isfinite(s->value[k]);
    }
  else s->integer = read_integer(e, op->part, is_signed(op));
  s->size = is_signed(op) && (int64_t)s->integer < 0 ? -s->integer : s->integer;
  if (op->op == MCK_OP_PROD && !s->size) s->size = 1;
  s->large = s->small = 1;
  note_factor(s, s->magnitude[0] + s->magnitude[1]);
  if (op->is_logical) s->integer = s->integer != 0;
  if (op->form == MCK_FLOW_PAIR) s->index = read_integer(e + op->part, op->index, true);
}

static bool is_less(const struct mck_flow_operation *op, uint64_t a, uint64_t b) {
  return is_signed(op) ? (int64_t)a < (int64_t)b : a < b;
}

// What an overflow makes is not said by the standard: libraries wrap around or saturate, and C leaves it open for
// signed numbers. size: the sum, or product, of the absolute values, which no order exceeds on the way.
static void note_overflow(struct mck_flow_sum *s, const struct mck_flow_operation *op, uint64_t x) {
  uint64_t most = UINT64_MAX >> (64 - 8 * op->part + is_signed(op));
  uint64_t size = is_signed(op) && (int64_t)x < 0 ? -x : x;
  bool is_over = false;
  if (op->op == MCK_OP_SUM) is_over = __builtin_add_overflow(s->size, size, &s->size);
  else if (op->op == MCK_OP_PROD) is_over = __builtin_mul_overflow(s->size, size > 1 ? size : 1, &s->size);
  s->is_open |= is_over || s->size > most;
}

static uint64_t combine(const struct mck_flow_operation *op, uint64_t a, uint64_t b) {
  switch (op->op) {
  case MCK_OP_MAX: return is_less(op, a, b) ? b : a;
  case MCK_OP_MIN: return is_less(op, b, a) ? b : a;
  case MCK_OP_SUM: return a + b;
  case MCK_OP_PROD: return a * b;
  case MCK_OP_LAND: return a && b;
  case MCK_OP_LOR: return a || b;
  case MCK_OP_LXOR: return !a != !b;
  case MCK_OP_BAND: return a & b;
  case MCK_OP_BOR: return a | b;
  default: return a ^ b;
  }
}

// The lowest index of the best value (5.9.4).
static void add_pair(struct mck_flow_sum *s, const struct mck_flow_operation *op, const uint8_t *e) {
  long double x = op->is_float ? read_float(e, op->part) : (long double)(int64_t)read_integer(e, op->part, true);
  long double best = op->is_float ? s->value[0] : (long double)(int64_t)s->integer;
  uint64_t index = read_integer(e + op->part, op->index, true);
  s->is_open |= !isfinite(x);
  bool is_better = op->op == MCK_OP_MINLOC ? x < best : x > best;
  if (!is_better && !(x == best && (int64_t)index < (int64_t)s->index)) return;
  s->value[0] = x, s->index = index;
  if (!op->is_float) s->integer = read_integer(e, op->part, true);
}

static void add_complex(struct mck_flow_sum *s, const struct mck_flow_operation *op, const long double x[2]) {
  if (op->op == MCK_OP_SUM) {
    for (int k = 0; k < 2; k++) s->value[k] += x[k], s->magnitude[k] += fabsl(x[k]);
    return;
  }
  long double re = s->value[0] * x[0] - s->value[1] * x[1], im = s->value[0] * x[1] + s->value[1] * x[0];
  long double size = fabsl(x[0]) + fabsl(x[1]), all = s->magnitude[0] + s->magnitude[1];
  s->value[0] = re, s->value[1] = im, s->magnitude[0] = s->magnitude[1] = all * size;
}

void mck_flow_add(struct mck_flow_sum *s, const struct mck_flow_operation *op, const uint8_t *e) {
  s->n++;
  if (op->form == MCK_FLOW_PAIR) {
    add_pair(s, op, e);
    return;
  }
  if (!op->is_float) {
    uint64_t x = read_integer(e, op->part, is_signed(op));
    note_overflow(s, op, x);
    s->integer = combine(op, s->integer, x);
    return;
  }
  long double x[2] = {read_float(e, op->part), op->form == MCK_FLOW_COMPLEX ? read_float(e + op->part, op->part) : 0};
  s->is_open |= !isfinite(x[0]) || !isfinite(x[1]);
  note_factor(s, fabsl(x[0]) + fabsl(x[1]));
  if (op->form == MCK_FLOW_COMPLEX) add_complex(s, op, x);
  else if (op->op == MCK_OP_SUM) s->value[0] += x[0], s->magnitude[0] += fabsl(x[0]);
  else if (op->op == MCK_OP_PROD) s->value[0] *= x[0], s->magnitude[0] *= fabsl(x[0]);
  else if (op->op == MCK_OP_MAX ? x[0] > s->value[0] : x[0] < s->value[0]) s->value[0] = x[0];
}

static bool is_near(const struct mck_flow_sum *s, const struct mck_flow_operation *op, int k, long double result) {
  if (op->op == MCK_OP_MAX || op->op == MCK_OP_MIN) return result == s->value[k];
  long double eps = op->part == 4 ? FLT_EPSILON : op->part == 8 ? DBL_EPSILON : 2 * LDBL_EPSILON;
  long double most = op->part == 4 ? FLT_MAX : op->part == 8 ? DBL_MAX : LDBL_MAX;
  long double least = op->part == 4 ? FLT_MIN : op->part == 8 ? DBL_MIN : LDBL_MIN;
  long double n = (long double)s->n * (op->form == MCK_FLOW_COMPLEX ? 4 : 1);
  // Some order may overflow, or a product become too small, on the way.
  if (op->op == MCK_OP_PROD ? !(s->large < most / 4 && s->small > least / eps) : !(s->magnitude[k] < most / 4))
    return true;
  return fabsl(result - s->value[k]) <= n * eps * s->magnitude[k] + n * least;
}

static void write_number(char *text, size_t size, const struct mck_flow_operation *op, const long double value[2],
                         uint64_t integer, uint64_t index) {
  int digits = op->part == 4 ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
  int n = op->form == MCK_FLOW_COMPLEX ? snprintf(text, size, "%.*Lg%+.*Lgi", digits, value[0], digits, value[1])
          : op->is_float               ? snprintf(text, size, "%.*Lg", digits, value[0])
          : is_signed(op)              ? snprintf(text, size, "%" PRId64, (int64_t)integer)
                                       : snprintf(text, size, "%" PRIu64, integer);
  if (op->form == MCK_FLOW_PAIR && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, " with index %" PRId64, (int64_t)index);
}

bool mck_flow_accepts(const struct mck_flow_sum *s, const struct mck_flow_operation *op, const uint8_t *result,
                      char *expected, char *came, size_t size) {
  long double value[2] = {0, 0};
  uint64_t integer = 0, index = 0, mask = op->part < 8 ? ((uint64_t)1 << 8 * op->part) - 1 : UINT64_MAX;
  bool is_right = true;
  if (s->is_open) return true;
  if (op->is_float)
    for (int k = 0; k < (op->form == MCK_FLOW_COMPLEX ? 2 : 1); k++) {
      value[k] = read_float(result + k * op->part, op->part);
      is_right &= op->form == MCK_FLOW_PAIR ? value[k] == s->value[k] : is_near(s, op, k, value[k]);
    }
  else {
    integer = read_integer(result, op->part, is_signed(op));
    is_right = op->is_logical ? !integer == !s->integer : !((integer ^ s->integer) & mask);
  }
  if (op->form == MCK_FLOW_PAIR) {
    index = read_integer(result + op->part, op->index, true);
    is_right &= !((index ^ s->index) & 0xffffffffu);
  }
  if (is_right) return true;
  uint8_t bytes[8]; // the sum, as wide as the type
  memcpy(bytes, &s->integer, sizeof bytes);
  uint64_t own = op->is_float ? 0 : read_integer(bytes, op->part, is_signed(op));
  write_number(expected, size, op, s->value, own, s->index);
  write_number(came, size, op, value, integer, index);
  return false;
}
