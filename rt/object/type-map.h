// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that copies of datatypes touch, as blocks (MPI-3.1 4.1). Callers hold the lock, for the types' sake.
#pragma once
#include "object/object.h"

struct mck_flat {
  struct mck_block *items;
  size_t count, capacity; // items: owned by who has the struct, to be freed
  bool is_unknown;        // too many blocks, no memory, or of a type whose bytes nobody knows: items are of no use
  bool is_overlapping;    // a byte comes twice
  bool is_unordered;      // displacements do not increase (MPI-3.1 13.3)
  bool is_inexact;        // a pair with a gap is in it
  bool has_addresses;     // for its owner: displacements that the program computed
};
// count consecutive elements of type t, the first at byte offset.
void mck_flat_add(struct mck_flat *f, const struct mck_type *t, int64_t count, int64_t offset);
// Sorts and merges; is_unknown when more than MCK_TYPE_BLOCKS_MAX are left.
void mck_flat_merge(struct mck_flat *f);
