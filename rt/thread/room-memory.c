// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/room-memory.h"
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

// Blocks of powers of two. Those that are given back stay in lists, by size. Large ones are no part of a chunk.
enum { SMALLEST = 6, LARGEST = 30, CHUNK = 1 << 18, LARGE = CHUNK / 2 };
struct block {
  size_t order; // 2^order bytes, this header included
  union {
    struct block *next;
    _Alignas(16) char bytes[1];
  };
};
static struct block *lists[LARGEST + 1];
static char *chunk;
static size_t left;
static atomic_flag is_taken = ATOMIC_FLAG_INIT;

static void take(void) {
  while (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire)) sched_yield();
}
static void give(void) { atomic_flag_clear_explicit(&is_taken, memory_order_release); }
void mck_thread_memory_forked(void) { give(); }

static char *map(size_t size) {
  int saved = errno;
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  errno = saved;
  return memory == MAP_FAILED ? NULL : memory;
}

void *mck_thread_alloc(size_t size) {
  size_t order = SMALLEST;
  while (((size_t)1 << order) < size + offsetof(struct block, bytes)) order++;
  if (order > LARGEST) return NULL;
  take();
  struct block *block = lists[order];
  if (block) lists[order] = block->next;
  else if ((size_t)1 << order > LARGE) block = (struct block *)(void *)map((size_t)1 << order);
  else {
    if (left < (size_t)1 << order) { // the rest of the old chunk is lost
      chunk = map(CHUNK);
      left = chunk ? CHUNK : 0;
    }
    block = (struct block *)(void *)chunk;
    if (block) chunk += (size_t)1 << order, left -= (size_t)1 << order;
  }
  give();
  if (!block) return NULL;
  block->order = order;
  return memset(block->bytes, 0, size);
}

void mck_thread_free(void *memory) {
  if (!memory) return;
  struct block *block = (struct block *)(void *)((char *)memory - offsetof(struct block, bytes));
  take();
  block->next = lists[block->order];
  lists[block->order] = block;
  give();
}
