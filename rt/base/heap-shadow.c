// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leaves of the heap shadow, and searches in them (heap-shadow.h).
#include "base/heap-shadow.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct mck_heap_shadow_leaf *mck_heap_shadow_leaves[MCK_HEAP_SHADOW_LEAVES];

enum { LEAVES_BACK = 256 }; // a search goes back so many leaves: 16 GiB

// The system call is made directly: mmap may be a hook that allocates (Open MPI's memory hooks), and this code runs
// inside an allocation.
struct mck_heap_shadow_leaf *mck_heap_shadow_grow(uintptr_t leaf) {
  if (leaf >= MCK_HEAP_SHADOW_LEAVES) return NULL;
  int saved = errno;
  size_t size = sizeof(struct mck_heap_shadow_leaf);
  long got = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
  struct mck_heap_shadow_leaf *made = got == -1 ? NULL : (struct mck_heap_shadow_leaf *)got, *there = NULL;
  if (made) {
    syscall(SYS_madvise, made, size, MADV_DONTDUMP);
    if (!__atomic_compare_exchange_n(&mck_heap_shadow_leaves[leaf], &there, made, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
      syscall(SYS_munmap, made, size);
      made = there;
    }
  }
  errno = saved;
  return made;
}

static uint64_t load_word(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static bool decode(const struct mck_heap_shadow_leaf *leaf, size_t i, size_t *size) {
  uint64_t word = load_word(&leaf->bytes[i]);
  unsigned first = word & 255;
  if (!first || first > 127) return false;
  *size = first - 1;
  if (first < 127) return true;
  if ((word & 0x8080808080808000u) != 0x8080808080808000u)
    return false; // half a size: another thread is writing it, or has overwritten it
  *size = 0;
  for (int k = 0; k < 7; k++) *size |= (size_t)(word >> 8 * (k + 1) & 127) << 7 * k;
  return true;
}

bool mck_heap_shadow_at(uintptr_t address, size_t *size) {
  const struct mck_heap_shadow_leaf *leaf = mck_heap_shadow_leaf_of(address);
  return leaf && !(address & 15) && decode(leaf, mck_heap_shadow_index(address), size);
}

// Were the eight chunks before i used?
static bool are_used(const struct mck_heap_shadow_leaf *leaf, size_t i) {
  typedef uint64_t __attribute__((may_alias)) word;
  return __atomic_load_n((const word *)&leaf->was_used[i / MCK_HEAP_SHADOW_CHUNK - 8], __ATOMIC_RELAXED) != 0;
}

// The last byte before to that is neither 0 nor part of a size, or -1.
static long search(const struct mck_heap_shadow_leaf *leaf, size_t to) {
  size_t i = to;
  while (i > 0) {
    if (i % (8 * MCK_HEAP_SHADOW_CHUNK) == 0 && !are_used(leaf, i)) {
      i -= 8 * MCK_HEAP_SHADOW_CHUNK;
      continue;
    }
    if (i % MCK_HEAP_SHADOW_CHUNK == 0 &&
        !__atomic_load_n(&leaf->was_used[i / MCK_HEAP_SHADOW_CHUNK - 1], __ATOMIC_RELAXED)) {
      i -= MCK_HEAP_SHADOW_CHUNK;
      continue;
    }
    if (i % 8 == 0 && !load_word(&leaf->bytes[i - 8])) {
      i -= 8;
      continue;
    }
    i--;
    if (leaf->bytes[i] && leaf->bytes[i] < 128) return (long)i;
  }
  return -1;
}

bool mck_heap_shadow_before(uintptr_t address, struct mck_heap_shadow_block *block) {
  uintptr_t n = address >> MCK_HEAP_SHADOW_LEAF_SHIFT;
  if (n >= MCK_HEAP_SHADOW_LEAVES) return false;
  size_t to = mck_heap_shadow_index(address) + 1;
  for (int steps = 0; steps < LEAVES_BACK; steps++, n--) {
    const struct mck_heap_shadow_leaf *leaf = __atomic_load_n(&mck_heap_shadow_leaves[n], __ATOMIC_ACQUIRE);
    long i = leaf ? search(leaf, to) : -1;
    if (i >= 0) {
      block->low = n << MCK_HEAP_SHADOW_LEAF_SHIFT | (uintptr_t)i << 4;
      return decode(leaf, (size_t)i, &block->size);
    }
    to = MCK_HEAP_SHADOW_BYTES;
    if (!n) break;
  }
  return false;
}

bool mck_heap_shadow_find(uintptr_t address, struct mck_heap_shadow_block *block) {
  return mck_heap_shadow_before(address, block) && address - block->low < block->size;
}

bool mck_heap_shadow_is_consistent(const struct mck_heap_shadow_block *block) {
  struct mck_heap_shadow_block other;
  if (block->size > 16 && (!mck_heap_shadow_before(block->low + block->size - 1, &other) || other.low != block->low))
    return false;
  return block->low < 16 || !mck_heap_shadow_before(block->low - 16, &other) || other.low + other.size <= block->low;
}
