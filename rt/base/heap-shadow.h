// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heap shadow: a byte per 16 bytes of heap that says where each block begins and how many bytes were asked for. The
// allocation calls write it (record/buffer/heap.c), on any thread and without a lock: the bytes belong to the block,
// and they are written before another thread can have the block. It is read when the bounds of a buffer are needed.
//
//   0          nothing begins here
//   1..126     a block of 0..125 bytes begins here
//   127        a larger one; the next 7 bytes are its size, 7 bits each, with the highest bit set (such a block has 8
//              granules at least)
//   128..255   part of such a size
//
// There are two levels. The first block in each 64 MiB of addresses makes a leaf, so unused addresses cost neither
// address space nor memory. Where no leaf can be allocated, nothing is known.
#pragma once
#include <string.h>
#include "base/base.h"

enum {
  MCK_HEAP_SHADOW_LEAF_SHIFT = 26,
  MCK_HEAP_SHADOW_LEAVES = 1 << 21,
  MCK_HEAP_SHADOW_BYTES = 1 << 22,
  MCK_HEAP_SHADOW_CHUNK = 4096
};
struct mck_heap_shadow_leaf {
  uint8_t bytes[MCK_HEAP_SHADOW_BYTES + 8];                                    // a size may reach beyond the end
  _Alignas(8) uint8_t was_used[MCK_HEAP_SHADOW_BYTES / MCK_HEAP_SHADOW_CHUNK]; // something was written there once, so a
                                                                               // search must look there
};
extern struct mck_heap_shadow_leaf *mck_heap_shadow_leaves[MCK_HEAP_SHADOW_LEAVES];
struct mck_heap_shadow_leaf *mck_heap_shadow_grow(uintptr_t leaf); // NULL: out of memory

static inline struct mck_heap_shadow_leaf *mck_heap_shadow_leaf_of(uintptr_t address) {
  uintptr_t leaf = address >> MCK_HEAP_SHADOW_LEAF_SHIFT;
  return leaf < MCK_HEAP_SHADOW_LEAVES ? __atomic_load_n(&mck_heap_shadow_leaves[leaf], __ATOMIC_ACQUIRE) : NULL;
}
static inline size_t mck_heap_shadow_index(uintptr_t address) { return (address >> 4) & (MCK_HEAP_SHADOW_BYTES - 1); }

// Notes a block of size bytes that begins at address, a multiple of 16, and has at least 16 bytes.
static inline void mck_heap_shadow_set(uintptr_t address, size_t size) {
  struct mck_heap_shadow_leaf *leaf = mck_heap_shadow_leaf_of(address);
  if (MCK_UNLIKELY(!leaf) && !(leaf = mck_heap_shadow_grow(address >> MCK_HEAP_SHADOW_LEAF_SHIFT))) return;
  size_t i = mck_heap_shadow_index(address);
  uint8_t *was_used = &leaf->was_used[i / MCK_HEAP_SHADOW_CHUNK];
  if (MCK_UNLIKELY(!__atomic_load_n(was_used, __ATOMIC_RELAXED))) __atomic_store_n(was_used, 1, __ATOMIC_RELAXED);
  if (size <= 125) {
    __atomic_store_n(&leaf->bytes[i], (uint8_t)(size + 1), __ATOMIC_RELAXED);
    return;
  }
  uint64_t word = (size & 0x0fffffff) | (uint64_t)(size >> 28) << 32; // the bits are spread in steps of 28, 14 and 7
  word = (word & 0x00003fff00003fff) | (word & 0x0fffc0000fffc000) << 2;
  word = (word & 0x007f007f007f007f) | (word & 0x3f803f803f803f80) << 1;
  word = (word | 0x0080808080808080) << 8 | 127;
  memcpy(&leaf->bytes[i], &word, 8); // little-endian
}

// Removes the block that begins at address, if one is known.
static inline void mck_heap_shadow_clear(uintptr_t address) {
  struct mck_heap_shadow_leaf *leaf = mck_heap_shadow_leaf_of(address);
  if (MCK_UNLIKELY(!leaf)) return;
  uint8_t *byte = &leaf->bytes[mck_heap_shadow_index(address)], was = __atomic_load_n(byte, __ATOMIC_RELAXED);
  if (was == 127) memset(byte, 0, 8);
  else if (was && was < 127) __atomic_store_n(byte, 0, __ATOMIC_RELAXED);
}

struct mck_heap_shadow_block {
  uintptr_t low, size;
};
bool mck_heap_shadow_at(uintptr_t address, size_t *size); // does a block begin exactly at address?
// Finds the last block that begins at or before address. Returns false where a search finds none.
bool mck_heap_shadow_before(uintptr_t address, struct mck_heap_shadow_block *block);
// No block begins, or ever began, in the 64 KiB around address.
static inline bool mck_heap_shadow_is_unused(uintptr_t address) {
  const struct mck_heap_shadow_leaf *leaf = mck_heap_shadow_leaf_of(address);
  return !leaf ||
         !__atomic_load_n(&leaf->was_used[mck_heap_shadow_index(address) / MCK_HEAP_SHADOW_CHUNK], __ATOMIC_RELAXED);
}
bool mck_heap_shadow_find(uintptr_t address, struct mck_heap_shadow_block *block); // finds the block that holds address
// No other block begins inside this one, and none before reaches into it. This is asked before a conclusion. (A block
// that was freed unseen stays in the shadow until its bytes are allocated again.)
bool mck_heap_shadow_is_consistent(const struct mck_heap_shadow_block *block);
