// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is it the same result? Integers are the same or not. Floating-point results of another order of evaluation may differ
// by rounding: they are different only if they differ by more than 1/1024 of the larger one, and by more than rounding
// explains where large numbers cancel. The largest number m of operands and results stands for what may have cancelled:
// sums have terms of m, products of m^2, sums of three factors m^3. If numbers differ by less, nothing is certain: an
// index may follow from them.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "record/collective/user-op.h"

static const char *at(const char *element, const struct mck_type_run *run, uint64_t unit) {
  return element + run->offset + (int64_t)(unit * run->bytes);
}

// The size of long double also stands for others (__float128); MPI_LONG_DOUBLE is the only one that a C program has.
static bool read_float(const char *from, unsigned bytes, long double *value) {
  float f;
  double d;
  if (bytes == sizeof f) memcpy(&f, from, sizeof f), *value = f;
  else if (bytes == sizeof d) memcpy(&d, from, sizeof d), *value = d;
  else if (bytes == sizeof *value) memcpy(value, from, sizeof *value);
  else return false;
  return true;
}

static long double largest(const struct mck_type_elements *e, const char *element, long double most) {
  for (size_t i = 0; i < e->count; i++)
    for (uint64_t k = 0; e->items[i].class == 'f' && k < e->items[i].units; k++) {
      long double value;
      if (read_float(at(element, &e->items[i], k), e->items[i].bytes, &value) && isfinite(value) && fabsl(value) > most)
        most = fabsl(value);
    }
  return most;
}

static enum mck_user_op_verdict compare_floats(const char *x, const char *y, unsigned bytes, long double most) {
  long double a, b;
  if (!read_float(x, bytes, &a) || !read_float(y, bytes, &b)) return MCK_USER_OP_UNSURE;
  if (a == b || (isnan(a) && isnan(b))) return MCK_USER_OP_SAME;
  if (!isfinite(a) || !isfinite(b)) return MCK_USER_OP_UNSURE; // an overflow may depend on the order
  long double difference = fabsl(a - b), larger = fabsl(a) > fabsl(b) ? fabsl(a) : fabsl(b),
              rounding = bytes == sizeof(float) ? 0x1p-16L : 0x1p-40L, cancelled = most > 1 ? most * most * most : most;
  return difference > larger / 1024 && difference > rounding * cancelled ? MCK_USER_OP_DIFFERS : MCK_USER_OP_UNSURE;
}

enum mck_user_op_verdict mck_user_op_compare(const struct mck_type_elements *e, const char *x, const char *y,
                                             const char *const *operands, unsigned noperands,
                                             struct mck_user_op_difference *difference) {
  bool is_unsure = e->is_cut, is_different = false;
  long double most = -1;
  for (size_t i = 0; i < e->count; i++) {
    const struct mck_type_run *run = &e->items[i];
    if (run->class == 'b' || !memcmp(at(x, run, 0), at(y, run, 0), run->units * run->bytes)) continue;
    for (uint64_t k = 0; k < run->units; k++) {
      enum mck_user_op_verdict one = MCK_USER_OP_DIFFERS;
      if (!memcmp(at(x, run, k), at(y, run, k), run->bytes)) continue;
      if (run->class == 'f') {
        if (most < 0) {
          most = largest(e, y, largest(e, x, 0));
          for (unsigned o = 0; o < noperands; o++) most = largest(e, operands[o], most);
        }
        one = compare_floats(at(x, run, k), at(y, run, k), run->bytes, most);
      }
      is_unsure |= one == MCK_USER_OP_UNSURE;
      if (one != MCK_USER_OP_DIFFERS) continue;
      if (!is_different || run->class == 'f') *difference = (struct mck_user_op_difference){run, k};
      if (run->class == 'f') return MCK_USER_OP_DIFFERS;
      is_different = true;
    }
  }
  return is_unsure ? MCK_USER_OP_UNSURE : is_different ? MCK_USER_OP_DIFFERS : MCK_USER_OP_SAME;
}

void mck_user_op_print(const struct mck_user_op_difference *number, const char *element, char *text, size_t size) {
  const struct mck_type_run *run = number->run;
  const char *from = at(element, run, number->unit);
  long double value;
  if (run->class == 'f' && read_float(from, run->bytes, &value)) {
    snprintf(text, size, "%.*Lg", run->bytes == sizeof(float) ? FLT_DECIMAL_DIG : 12, value);
    return;
  }
  int64_t integer = 0;
  switch (run->bytes) {
  case 1: integer = (int8_t)*from; break;
  case 2: integer = *(const int16_t *)memcpy((int16_t[1]){0}, from, 2); break;
  case 4: integer = *(const int32_t *)memcpy((int32_t[1]){0}, from, 4); break;
  default: memcpy(&integer, from, sizeof integer); break;
  }
  snprintf(text, size, "%lld", (long long)integer);
}
