// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predefined reduction operations on one element (MPI-3.1 5.9.2, 5.9.4): what the standard allows as their result.
#pragma once
#include "log/event.h"
#include "log/signature.h"

enum mck_flow_form { MCK_FLOW_INTEGER, MCK_FLOW_UNSIGNED, MCK_FLOW_FLOAT, MCK_FLOW_COMPLEX, MCK_FLOW_PAIR };
struct mck_flow_operation {
  uint32_t op;   // enum mck_op
  uint32_t size; // bytes of an element
  enum mck_flow_form form;
  uint32_t part;   // bytes of a number: of one part of a complex number, of the value of a pair
  uint32_t index;  // bytes of the index of a pair
  bool is_float;   // of a pair: the value
  bool is_logical; // the result is true or false
  bool is_exact;   // there is one result
};
// false: the operation or the type is the program's, or not known.
bool mck_flow_operation(struct mck_flow_operation *op, uint32_t number, uint32_t basic);

// What the inputs make, so far. n: of them; magnitude: the sum, or product, of their absolute values.
struct mck_flow_sum {
  uint64_t n, integer, index, size;
  long double value[2], magnitude[2];
  long double large, small; // the products of the factors above 1, and below
  bool is_open;             // NaN, infinite, or an integer that overflows: nothing is said
};
void mck_flow_begin(struct mck_flow_sum *sum, const struct mck_flow_operation *op, const uint8_t *element);
void mck_flow_add(struct mck_flow_sum *sum, const struct mck_flow_operation *op, const uint8_t *element);
// Is this a result of the operation? If not, both are written as text.
bool mck_flow_accepts(const struct mck_flow_sum *sum, const struct mck_flow_operation *op, const uint8_t *result,
                      char *expected, char *came, size_t size);
