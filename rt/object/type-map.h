// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type maps: the bytes that copies of datatypes touch, as blocks (MPI-3.1 4.1). Callers hold the lock that protects the
// types.
#pragma once
#include "object/object.h"

struct mck_flat {
  struct mck_block *items;
  size_t count, capacity; // items: the owner of the struct frees them
  size_t most;            // so many before they are merged; 0: four times MCK_TYPE_BLOCKS_MAX
  bool is_unknown;        // too many blocks, out of memory, or a type with unknown bytes: items are invalid
  bool is_overlapping;    // some byte occurs twice
  bool is_unordered;      // displacements do not increase (MPI-3.1 13.3)
  bool is_inexact;        // it contains a pair with a gap
  bool has_addresses;     // for its owner: the program computed displacements
};
// Appends count consecutive elements of type t, the first at byte offset.
void mck_flat_add(struct mck_flat *f, const struct mck_type *t, int64_t count, int64_t offset);
// Sorts and merges the blocks; sets is_unknown when more than MCK_TYPE_BLOCKS_MAX are left.
void mck_flat_merge(struct mck_flat *f);
// The distance of blocks that have one length and lie equally far apart; 0: they do not, or there is only one.
int64_t mck_type_stride(const struct mck_block *blocks, uint32_t n);
