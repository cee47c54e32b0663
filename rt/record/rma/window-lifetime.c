// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that windows were made of, and whether it was freed or its function has returned.
#include "record/rma/window-lifetime.h"
#include <pthread.h>
#include "abi.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/buffer/heap.h"
#include "record/call/thread-level.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "record/strand/strand-buffer.h"
#include "record/access/touched-range.h"

enum { KEPT_MAX = 256 }; // windows at a time; more are not looked at
struct kept {
  const struct mck_window *window;
  uintptr_t block, base;
  uint64_t size;
  uintptr_t stack, top; // the stack of the thread whose local variable it is; 0: none
  uint32_t freed;       // the place; MCK_NONE: not freed yet
  const char *freed_by; // NULL: its function has returned before the call at that place
  bool is_said;
};
static struct kept kept[KEPT_MAX];
static unsigned nkept;
static bool has_mapped;                                 // some memory is neither a heap block nor a local variable
static bool is_all;                                     // others want each free, too
static uintptr_t blocks_low = UINTPTR_MAX, blocks_high; // where blocks of windows begin
uintptr_t mck_lifetime_low = UINTPTR_MAX, mck_lifetime_span;

static void publish(void) {
  uintptr_t low = is_all ? 0 : blocks_low, high = is_all ? UINTPTR_MAX : blocks_high;
  __atomic_store_n(&mck_lifetime_low, low, __ATOMIC_RELAXED);
  __atomic_store_n(&mck_lifetime_span, high > low && low != UINTPTR_MAX ? high - low : 0, __ATOMIC_RELAXED);
}

void mck_lifetime_watch_all(bool is_watching) {
  is_all = is_watching;
  publish();
}

static void span(void) {
  uintptr_t low = UINTPTR_MAX, high = 0;
  bool is_mapped = false;
  for (unsigned i = 0; i < nkept; i++) {
    if (!kept[i].block) {
      is_mapped |= !kept[i].stack;
      continue;
    }
    if (kept[i].block < low) low = kept[i].block;
    if (kept[i].block > high) high = kept[i].block;
  }
  __atomic_store_n(&has_mapped, is_mapped, __ATOMIC_RELAXED);
  __atomic_store_n(&blocks_low, low, __ATOMIC_RELAXED);
  __atomic_store_n(&blocks_high, high, __ATOMIC_RELAXED);
  publish();
}

static bool find_stack(uintptr_t address, struct kept *k) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes)) return false;
  bool is_found = !pthread_attr_getstack(&attributes, &low, &size) && address >= (uintptr_t)low &&
                  address < (uintptr_t)low + size;
  pthread_attr_destroy(&attributes);
  if (is_found) k->stack = (uintptr_t)low, k->top = (uintptr_t)low + size;
  return is_found;
}

void mck_lifetime_begin(struct mck_call *call, const struct mck_window *w, const char *base, uint64_t size) {
  struct kept k = {.window = w, .base = (uintptr_t)base, .size = size, .freed = MCK_NONE};
  struct mck_heap_shadow_block block;
  if (!base || !size || nkept == KEPT_MAX) return;
  // A local variable of a function that has called us lies above our own frame.
  if (k.base > (uintptr_t)call->frame && find_stack(k.base, &k)) mck_buffer_watch_frame(k.base + size);
  else if (mck_heap_is_seen() && mck_heap_find(base, &block) && mck_heap_is_certain(&block)) {
    k.block = block.low;
    if (k.size > block.low + block.size - k.base) k.size = block.low + block.size - k.base; // what lies behind stays
  }
  kept[nkept++] = k;
  span();
}

void mck_lifetime_end(const struct mck_window *w, const char *base) {
  for (unsigned i = 0; i < nkept; i++)
    if (kept[i].window == w && (!base || kept[i].base == (uintptr_t)base)) kept[i--] = kept[--nkept];
  span();
}

static void place_end(struct mck_finding *f, const struct kept *k) {
  if (k->freed_by) mck_finding_place(f, mck_rt.rank, k->freed, "%s on rank %d", k->freed_by, mck_rt.rank);
  else
    mck_finding_place(f, mck_rt.rank, k->freed, "its function had returned before this call of rank %d", mck_rt.rank);
}

static void report(struct kept *k, struct mck_call *call) {
  const struct mck_window *w = k->window;
  uint32_t site = mck_call_site(call);
  k->is_said = true;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_WINDOW_MEMORY_FREED, k->freed, w->object.site);
  mck_finding_text(f, "memory of a window no longer exists, and the window is used");
  place_end(f, k);
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, w->object.site, "it belongs to the window of %s", mck_fn_names[w->object.fn]);
  mck_finding_why(
      f,
      k->freed_by && w->flavor == MPI_WIN_FLAVOR_DYNAMIC
          ? "it is attached until MPI_Win_detach, and others may access it (MPI-3.1 11.2.4)"
      : k->freed_by
          ? "until MPI_Win_free has returned others may access it (MPI-3.1 11.2.5)"
          : "it was a local variable, and the function has returned: others access what is there now (MPI-3.1 11.2.5)");
  mck_local_done(f);
}

// All frames of functions that have not returned lie above ours, if it is the same stack.
static bool has_returned(const struct kept *k, const struct mck_call *call) {
  uintptr_t frame = (uintptr_t)call->frame;
  return k->stack && frame >= k->stack && frame < k->top && k->base + k->size <= frame;
}

void mck_lifetime_check(struct mck_call *call, const struct mck_window *w) {
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    if (k->window != w || k->is_said) continue;
    if (k->freed != MCK_NONE) report(k, call);
  }
}

// Nobody has used the window since. The standard demands the other order nevertheless.
static void warn_of(struct kept *k, struct mck_call *call) {
  const struct mck_window *w = k->window;
  const char *name = mck_fn_names[call->fn];
  uint32_t site = mck_call_site(call);
  k->is_said = true;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_WINDOW_MEMORY_EARLY, k->freed, w->object.site);
  mck_finding_text(
      f, k->freed_by ? "memory of a window is freed before %s" : "a window's local variable is gone before %s", name);
  place_end(f, k);
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", name, mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, w->object.site, "it belongs to the window of %s", mck_fn_names[w->object.fn]);
  mck_local_done(f);
}

void mck_lifetime_check_end(struct mck_call *call, const struct mck_window *w, const char *base) {
  for (unsigned i = 0; mck_depth <= 1 && i < nkept; i++) {
    struct kept *k = &kept[i];
    if (k->window != w || k->is_said || (base && k->base != (uintptr_t)base)) continue;
    if (k->freed != MCK_NONE) warn_of(k, call);
  }
}

// For the judge it is a store to [low, high) of the memory.
static void end_memory(struct kept *k, const char *low, const char *high, const struct mck_pieces *how,
                       const char *name) {
  if (k->freed == MCK_NONE) k->freed = mck_stack_site(how->pc, how->frame), k->freed_by = name;
  mck_touched_add(&(struct mck_pieces){.low = low,
                                       .high = high,
                                       .size = (uint64_t)(high - low),
                                       .stride = (uint64_t)(high - low),
                                       .count = 1,
                                       .flags = MCK_SIGNAL_STORE | MCK_PIECES_FREED | how->flags,
                                       .pc = how->pc,
                                       .frame = how->frame});
}

static void note_freed(const void *block, const void *pc, const void *frame, const char *name) {
  mck_lock();
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    const char *base = (const char *)k->base;
    if (k->block == (uintptr_t)block && k->freed == MCK_NONE)
      end_memory(k, base, base + k->size, &(struct mck_pieces){.pc = pc, .frame = frame}, name);
  }
  mck_unlock();
}

void mck_lifetime_freed(const void *block, const void *pc, const void *frame) {
  uintptr_t low = __atomic_load_n(&blocks_low, __ATOMIC_RELAXED),
            high = __atomic_load_n(&blocks_high, __ATOMIC_RELAXED);
  if ((uintptr_t)block < low || (uintptr_t)block > high) return;
  if (mck_depth || !mck_rt.is_ready) return; // freed by MPI itself
  if (MCK_UNLIKELY(!mck_is_plain)) mck_level_share();
  mck_depth_set(1);
  note_freed(block, pc, frame, "free");
  mck_depth_set(0);
}

void mck_lifetime_freed_in(const struct mck_call *call, const void *block) {
  note_freed(block, call->pc, call->frame, mck_fn_names[call->fn]);
}

// Parts of the memory may go one after the other.
static void note_unmapped(const char *low, const char *high, const void *pc, const void *frame) {
  mck_lock();
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    const char *base = (const char *)k->base, *end = base + k->size;
    const char *from = low > base ? low : base, *to = high < end ? high : end;
    if (!k->block && !k->stack && from < to)
      end_memory(k, from, to, &(struct mck_pieces){.pc = pc, .frame = frame, .flags = MCK_PIECES_UNMAPPED}, "munmap");
  }
  mck_unlock();
}

// Whole pages go (POSIX). What munmap would refuse goes not.
MCK_EXPORT void __mck_unmap(const volatile void *address, uint64_t size) {
  uintptr_t low = (uintptr_t)address, page = (uintptr_t)1 << MCK_PAGE_SHIFT;
  const void *pc = __builtin_return_address(0), *frame = __builtin_frame_address(0);
  if (mck_depth || !mck_rt.is_ready || !size || low % page || low + size < low) return;
  uint64_t bytes = (size + page - 1) & ~(uint64_t)(page - 1);
  mck_strand_memory_over(low, low + bytes);
  if (mck_buffers_are_in_use() && mck_buffer_is_near((const char *)low, bytes)) {
    mck_buffer_begin_free();
    mck_buffer_check_freed((const char *)low, bytes, pc, frame);
    mck_buffer_end_free();
  }
  if (!__atomic_load_n(&has_mapped, __ATOMIC_RELAXED)) return;
  if (MCK_UNLIKELY(!mck_is_plain)) mck_level_share();
  mck_depth_set(1);
  note_unmapped((const char *)low, (const char *)low + bytes, pc, frame);
  mck_depth_set(0);
}

void mck_lifetime_block(const char *low, const char *high, const void *pc, const void *frame) {
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    const char *base = (const char *)k->base, *end = base + k->size;
    if (k->stack && k->freed == MCK_NONE && low < end && base < high)
      end_memory(k, low > base ? low : base, high < end ? high : end,
                 &(struct mck_pieces){.pc = pc, .frame = frame, .flags = MCK_PIECES_UNMAPPED | MCK_PIECES_LEFT},
                 "the end of the variable's block");
  }
}

uintptr_t mck_lifetime_leave(struct mck_call *call) {
  uintptr_t lowest = UINTPTR_MAX, here = (uintptr_t)__builtin_frame_address(0);
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    const char *base = (const char *)k->base;
    if (here < k->stack || here >= k->top || k->freed != MCK_NONE) continue;
    if (call && has_returned(k, call))
      end_memory(k, base, base + k->size,
                 &(struct mck_pieces){.pc = call->pc, .frame = call->frame, .flags = MCK_PIECES_LEFT}, NULL);
    else if (k->base + k->size < lowest) lowest = k->base + k->size;
  }
  return lowest;
}
