// RUN: %unit/test-heap-shadow | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of the heap against a plain list of blocks, through random allocations in a made-up heap, some of them
// across leaves.
#include "base/heap-shadow.h"
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (printf("line %d, seed %u: %s\n", __LINE__, seed, #condition), exit(1)))
enum { BLOCKS = 400, ROUNDS = 20000 };
static unsigned seed = 20240917;
static struct {
  uintptr_t low, room;
  size_t size;
  int is_live;
} blocks[BLOCKS];

static uint64_t number(uint64_t below) { return ((uint64_t)rand() << 31 ^ (uint64_t)rand()) % below; }

int main(void) {
  srand(seed);
  // Rooms of different sizes one behind another, over several leaves of 64 MiB.
  uintptr_t at = 0x7f1234567000;
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i].low = at, blocks[i].room = i % 50 == 7 ? 32u << 20 : 32 + 16 * number(200);
    at += blocks[i].room;
  }
  for (int round = 0; round < ROUNDS; round++) {
    int i = (int)number(BLOCKS);
    if (blocks[i].is_live) mck_heap_shadow_clear(blocks[i].low);
    else mck_heap_shadow_set(blocks[i].low, blocks[i].size = number(blocks[i].room - 15));
    blocks[i].is_live = !blocks[i].is_live;
    int k = (int)number(BLOCKS);
    uintptr_t address = blocks[k].low + number(blocks[k].room);
    struct mck_heap_shadow_block found, wanted = {0, 0};
    if (blocks[k].is_live && address < blocks[k].low + blocks[k].size)
      wanted.low = blocks[k].low, wanted.size = blocks[k].size;
    bool is_found = mck_heap_shadow_find(address, &found);
    EXPECT(is_found == (wanted.low != 0));
    if (is_found) EXPECT(found.low == wanted.low && found.size == wanted.size && mck_heap_shadow_is_consistent(&found));
    size_t size;
    EXPECT(mck_heap_shadow_at(blocks[k].low, &size) == (blocks[k].is_live != 0) &&
           (!blocks[k].is_live || size == blocks[k].size));
  }
  // A block that was freed unseen: inside of the one that has its memory now, or around it.
  struct mck_heap_shadow_block block;
  mck_heap_shadow_set(0x10000, 64), mck_heap_shadow_set(0x10020, 200);
  EXPECT(mck_heap_shadow_find(0x10028, &block) && !mck_heap_shadow_is_consistent(&block));
  EXPECT(mck_heap_shadow_find(0x10010, &block) && !mck_heap_shadow_is_consistent(&block));
  mck_heap_shadow_clear(0x10020);
  EXPECT(mck_heap_shadow_find(0x10028, &block) && mck_heap_shadow_is_consistent(&block) && block.size == 64);
  EXPECT(!mck_heap_shadow_find(0x10040, &block));
  EXPECT(!mck_heap_shadow_find(~(uintptr_t)0, &block));
  mck_heap_shadow_set(~(uintptr_t)15, 64); // no address of user space: ignored
  puts("ok");
  return 0;
}
