// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type map of a datatype (MPI-3.1 4.1): which numbers lie at which displacements. type-map.h has only the bytes.
// It is made for a comparison, and not kept with the type. Callers hold the lock.
#pragma once
#include "object/object.h"

// units numbers of one class and size, one behind the other.
struct mck_type_run {
  int64_t offset;
  uint64_t units;
  uint64_t position; // of the first one, among the basic elements of the signature
  uint32_t basic;
  uint16_t bytes;      // of a number
  uint8_t per_element; // numbers of a basic element: 2 of MPI_C_DOUBLE_COMPLEX
  char class;          // 'i', 'f', or 'b': bytes that MPI does not interpret
};
struct mck_type_elements {
  struct mck_type_run *items; // owned
  size_t count, capacity;
  uint64_t positions; // basic elements
  bool is_cut;        // there are more runs than are kept
};
enum { MCK_TYPE_RUNS_MAX = 1 << 16 };
// false: the type is not understood, or memory is used up.
bool mck_type_read_elements(MPI_Datatype type, struct mck_type_elements *elements);
// Class << 0 | bytes << 8 of the numbers that a basic type consists of; 0: they are bytes, or of several kinds.
uint32_t mck_basic_kind(uint32_t basic);
