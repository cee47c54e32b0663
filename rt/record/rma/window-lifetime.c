// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that windows were made of, and whether it was freed or its function has returned.
#include "record/rma/window-lifetime.h"
#include <pthread.h>
#include "abi.h"
#include "record/buffer/heap.h"
#include "record/call/thread-level.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

enum { KEPT_MAX = 256 }; // windows at a time; more are not looked at
struct kept {
  const struct mck_window *window;
  uintptr_t block, base;
  uint64_t size;
  uintptr_t stack, top; // the stack of the thread whose local variable it is; 0: none
  uint32_t freed;       // the place; MCK_NONE: not freed yet
  const char *freed_by;
  bool is_said;
};
static struct kept kept[KEPT_MAX];
static unsigned nkept;
uintptr_t mck_lifetime_low = UINTPTR_MAX, mck_lifetime_span;

static void span(void) {
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (unsigned i = 0; i < nkept; i++) {
    if (!kept[i].block) continue;
    if (kept[i].block < low) low = kept[i].block;
    if (kept[i].block > high) high = kept[i].block;
  }
  __atomic_store_n(&mck_lifetime_low, low, __ATOMIC_RELAXED);
  __atomic_store_n(&mck_lifetime_span, high > low && low != UINTPTR_MAX ? high - low : 0, __ATOMIC_RELAXED);
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
  if (k.base > (uintptr_t)call->frame && find_stack(k.base, &k))
    ;
  else if (mck_heap_is_seen() && mck_heap_find(base, &block) && mck_heap_is_certain(&block)) k.block = block.low;
  else return;
  kept[nkept++] = k;
  span();
}

void mck_lifetime_end(const struct mck_window *w, const char *base) {
  for (unsigned i = 0; i < nkept; i++)
    if (kept[i].window == w && (!base || kept[i].base == (uintptr_t)base)) kept[i--] = kept[--nkept];
  span();
}

// freed: where the memory was freed, MCK_NONE: its function has returned.
static void report(struct kept *k, struct mck_call *call, uint32_t freed) {
  const struct mck_window *w = k->window;
  uint32_t site = mck_call_site(call);
  k->is_said = true;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_WINDOW_MEMORY_FREED, freed != MCK_NONE ? freed : site,
                                        w->object.site);
  mck_finding_text(f, "memory of a window no longer exists, and the window is used");
  if (freed != MCK_NONE) mck_finding_place(f, mck_rt.rank, freed, "%s on rank %d", k->freed_by, mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, w->object.site, "it belongs to the window of %s", mck_fn_names[w->object.fn]);
  mck_finding_why(
      f,
      freed != MCK_NONE && w->flavor == MPI_WIN_FLAVOR_DYNAMIC
          ? "it is attached until MPI_Win_detach, and others may access it (MPI-3.1 11.2.4)"
      : freed != MCK_NONE
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
    if (k->freed != MCK_NONE) report(k, call, k->freed);
    else if (has_returned(k, call)) report(k, call, MCK_NONE);
  }
}

// Nobody has used the window since. The standard demands the other order nevertheless.
static void warn(struct kept *k, struct mck_call *call) {
  const struct mck_window *w = k->window;
  const char *name = mck_fn_names[call->fn];
  uint32_t site = mck_call_site(call);
  k->is_said = true;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_WINDOW_MEMORY_EARLY, k->freed != MCK_NONE ? k->freed : site,
                                        w->object.site);
  mck_finding_text(
      f, k->freed != MCK_NONE ? "memory of a window is freed before %s" : "a window's local variable is gone before %s",
      name);
  if (k->freed != MCK_NONE) mck_finding_place(f, mck_rt.rank, k->freed, "%s on rank %d", k->freed_by, mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", name, mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, w->object.site, "it belongs to the window of %s", mck_fn_names[w->object.fn]);
  mck_local_done(f);
}

void mck_lifetime_check_end(struct mck_call *call, const struct mck_window *w, const char *base) {
  for (unsigned i = 0; mck_depth <= 1 && i < nkept; i++) {
    struct kept *k = &kept[i];
    if (k->window != w || k->is_said || (base && k->base != (uintptr_t)base)) continue;
    if (k->freed != MCK_NONE || has_returned(k, call)) warn(k, call);
  }
}

// For the judge it is a store to all of the memory.
static void note_freed(const void *block, const void *pc, const void *frame, const char *name) {
  mck_lock();
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    if (k->block != (uintptr_t)block || k->freed != MCK_NONE) continue;
    k->freed = mck_stack_site(pc, frame), k->freed_by = name;
    const char *base = (const char *)k->base;
    mck_touched_add(&(struct mck_pieces){.low = base,
                                         .high = base + k->size,
                                         .size = k->size,
                                         .stride = k->size,
                                         .count = 1,
                                         .flags = MCK_SIGNAL_STORE | MCK_PIECES_FREED,
                                         .pc = pc,
                                         .frame = frame});
  }
  mck_unlock();
}

void mck_lifetime_freed(const void *block, const void *pc, const void *frame) {
  if (mck_depth || !mck_rt.is_ready) return; // freed by MPI itself
  if (MCK_UNLIKELY(!mck_is_plain)) mck_level_share();
  mck_depth_set(1);
  note_freed(block, pc, frame, "free");
  mck_depth_set(0);
}

void mck_lifetime_freed_in(const struct mck_call *call, const void *block) {
  note_freed(block, call->pc, call->frame, mck_fn_names[call->fn]);
}
