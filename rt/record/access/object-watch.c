// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is anything of interest in the object that a pointer points into? Recompiled code asks so before a nest of loops
// whose addresses have no bounds (__mck_watches_object, abi.h). Known objects are the heap blocks that heap.c has seen,
// the part of the thread's stack that its callers use, and the variables of the executable. Of anything else the answer
// is "perhaps".
#include <pthread.h>
#include <link.h>
#include <sys/single_threaded.h>
#include "abi.h"
#include "record/access/touched-range.h"
#include "record/buffer/heap.h"
#include "record/rma/attached-memory.h"
#include "record/runtime.h"

struct span {
  uintptr_t low, high;
};

// Larger blocks may have mappings of their own, which end when the block is freed (glibc: from 128 KiB on).
enum { MAPPED_ALONE = 1 << 16 };

// The writable parts of the executable.
static int find_data(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct span *data = context;
  *data = (struct span){UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_W)) continue;
    uintptr_t low = info->dlpi_addr + p->p_vaddr;
    if (low < data->low) data->low = low;
    if (low + p->p_memsz > data->high) data->high = low + p->p_memsz;
  }
  return 1; // the executable comes first
}

// The parts of memory that are known on this thread: what callers have on its stack, and the executable's variables.
static const struct span *known_spans(uintptr_t frame) {
  static __thread struct span spans[2] __attribute__((tls_model("initial-exec")));
  static __thread struct span stack __attribute__((tls_model("initial-exec")));
  if (!stack.high) {
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    stack = (struct span){1, 1};
    if (!pthread_getattr_np(pthread_self(), &attributes)) {
      if (!pthread_attr_getstack(&attributes, &low, &size))
        stack = (struct span){(uintptr_t)low, (uintptr_t)low + size};
      pthread_attr_destroy(&attributes);
    }
    dl_iterate_phdr(find_data, &spans[1]);
  }
  bool is_own = frame >= stack.low && frame < stack.high; // a coroutine has a stack of its own
  spans[0] = (struct span){is_own ? frame : stack.high, stack.high};
  return spans;
}

// What was found last. Only this thread uses it, within nests that begin again and again.
enum { CACHED = 8 };
static __thread struct cached {
  struct span block;
  uint64_t version; // of the filter, for the answer
  uint32_t bits;
  bool is_watched;
} cache[CACHED] __attribute__((tls_model("initial-exec")));
static __thread unsigned next_cached __attribute__((tls_model("initial-exec")));

// Pages of addresses that lie in no known block (window memory of MPI's). A search that finds nothing takes long; it
// is done again after so many questions only, since there may be a block by then.
enum { UNKNOWN = 8, RETRY = 4096 };
static __thread struct unknown {
  uintptr_t page;
  unsigned left;
} unknown[UNKNOWN] __attribute__((tls_model("initial-exec")));

// The heap block that holds this address. A block that began far before takes long to find, too.
static struct cached *find_block(uintptr_t address) {
  for (unsigned i = 0; i < CACHED; i++) {
    struct cached *c = &cache[i];
    size_t size;
    if (address - c->block.low < c->block.high - c->block.low && mck_heap_shadow_at(c->block.low, &size) &&
        size == c->block.high - c->block.low)
      return c;
  }
  uintptr_t page = address >> MCK_PAGE_SHIFT;
  struct unknown *u = &unknown[page % UNKNOWN];
  if (u->page == page && u->left && u->left--) return NULL;
  struct mck_heap_shadow_block block;
  if (!mck_heap_is_seen() || !mck_heap_find((const void *)address, &block)) {
    *u = (struct unknown){page, RETRY};
    return NULL;
  }
  struct cached *c = &cache[next_cached++ % CACHED];
  *c = (struct cached){.block = {block.low, block.low + block.size}};
  return c;
}

// The object that holds this address, or all that may be it.
static bool find_object(uintptr_t address, struct span *object, struct cached **block) {
  const struct span *spans = known_spans((uintptr_t)__builtin_frame_address(0));
  for (int i = 0; i < 2; i++)
    if (address >= spans[i].low && address < spans[i].high) {
      *object = spans[i], *block = NULL;
      return true;
    }
  *block = find_block(address);
  if (*block) *object = (*block)->block;
  return *block;
}

static bool is_any(const struct mck_byte_range *range, void *context) { return (void)range, (void)context, true; }

// Is there a window, or a buffer that counts for these MCK_WATCH_ bits?
static bool is_in_use(uintptr_t low, uintptr_t high, uint32_t bits) {
  if (low >= high) return false;
  for (const struct mck_window *w = mck_windows; w; w = w->next)
    if ((uintptr_t)w->base < high && (uintptr_t)w->base + w->size > low) return true;
  return mck_attached_in((const char *)low, (const char *)high) ||
         (mck_range_set_size && mck_range_set_find(low, high, bits & MCK_WATCH_STORES, is_any, NULL));
}

// Whole pages are asked of the filter. The pages at both ends have neighbors' bytes, too.
static bool is_watched(struct span object, uint32_t bits) {
  const uintptr_t page = (uintptr_t)1 << MCK_PAGE_SHIFT;
  if (object.low >= object.high || !__mck_watches((void *)object.low, (void *)object.high, bits)) return false;
  struct span whole = {(object.low + page - 1) & -page, object.high & -page};
  if (whole.low < whole.high) {
    if (__mck_watches((void *)whole.low, (void *)whole.high, bits)) return true;
  } else whole = (struct span){object.high, object.high};
  if (mck_depth || !mck_rt.is_ready) return true;
  mck_lock();
  bool is_used = is_in_use(object.low, whole.low, bits) || is_in_use(whole.high, object.high, bits);
  mck_unlock();
  return is_used;
}

// Can the pointer at this address be loaded? With several threads another one may free a block now. Small blocks stay
// mapped then.
static bool can_load(uintptr_t address) {
  struct span object;
  struct cached *block;
  if (!find_object(address, &object, &block) || object.high - address < sizeof address) return false;
  return !block || __libc_single_threaded || object.high - object.low <= MAPPED_ALONE;
}

MCK_EXPORT uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how) {
  struct span object;
  struct cached *block;
  for (uint32_t levels = how >> 8; levels; levels--) {
    if (!can_load(pointer)) return 1;
    memcpy(&pointer, (const void *)pointer, sizeof pointer);
    if (levels > 1) pointer += second;
  }
  uint32_t bits = how & 255;
  if (pointer < 4096) return 0; // no object: the nest does not use it
  if (!find_object(pointer, &object, &block)) return 1;
  if (!block) return is_watched(object, bits);
  uint64_t version = mck_filter_version;
  if (block->version != version || block->bits != bits)
    block->is_watched = is_watched(object, bits), block->bits = bits, block->version = version;
  return block->is_watched;
}
