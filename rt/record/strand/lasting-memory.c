// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See lasting-memory.h. Watched blocks stand in a table of one place each, from which their free removes them. A thread
// gets the memory of a freed block only behind that free, so it sees it here.
#include "record/strand/lasting-memory.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include "record/buffer/heap.h"
#include "record/call/stack.h"
#include "record/rma/window-lifetime.h"

enum { SLOTS = 1024 };
static _Atomic uintptr_t slots[SLOTS];
static bool is_watching;
static uintptr_t main_low, main_high; // the stack of the main thread

void mck_lasting_init(void) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes)) return;
  if (!pthread_attr_getstack(&attributes, &low, &size)) main_low = (uintptr_t)low, main_high = main_low + size;
  pthread_attr_destroy(&attributes);
}

static bool is_static(const char *low, const char *high) {
  struct dl_find_object found;
  return !_dl_find_object((void *)low, &found) && high <= (const char *)found.dlfo_map_end;
}

bool mck_lasting_find(const char *low, const char *high, uintptr_t *block) {
  struct mck_heap_shadow_block b;
  *block = 0;
  if (!low || !mck_heap_is_seen()) return false; // frees of the program may not come to us
  if ((uintptr_t)low >= main_low && (uintptr_t)high <= main_high) return true;
  if (mck_stack_is_own(low, high)) return false; // of a thread that may end; a search of the heap is dear for it
  if (mck_heap_find(low, &b)) {
    *block = b.low;
    return (uintptr_t)high <= b.low + b.size;
  }
  return is_static(low, high);
}

static _Atomic uintptr_t *slot_of(uintptr_t block) { return &slots[(block >> 4) * 0x9e3779b97f4a7c15u >> 54]; }

bool mck_lasting_watch(uintptr_t block, bool (*is_used)(uintptr_t block), bool *is_new) {
  _Atomic uintptr_t *slot = slot_of(block);
  uintptr_t other = atomic_load_explicit(slot, memory_order_relaxed);
  *is_new = other != block;
  if (!*is_new) return true;
  if (other && is_used(other)) return false;
  atomic_store_explicit(slot, block, memory_order_relaxed);
  if (!is_watching) is_watching = true, mck_lifetime_watch_all(true);
  return true;
}

bool mck_lasting_is_live(uintptr_t block) {
  return !block || atomic_load_explicit(slot_of(block), memory_order_relaxed) == block;
}

void mck_lasting_forget(void) {
  if (!is_watching) return;
  is_watching = false;
  mck_lifetime_watch_all(false);
  for (unsigned i = 0; i < SLOTS; i++) atomic_store_explicit(&slots[i], 0, memory_order_relaxed);
}

void mck_lasting_freed(const void *block) {
  uintptr_t b = (uintptr_t)block;
  if (b) atomic_compare_exchange_strong_explicit(slot_of(b), &b, 0, memory_order_relaxed, memory_order_relaxed);
}
