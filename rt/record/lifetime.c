// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record/lifetime.h"
#include <pthread.h>
#include "record/heap.h"
#include "record/level.h"
#include "record/runtime.h"

enum { KEPT_MAX = 256 };   // windows at a time; more are not looked at
struct kept {
  const struct mck_window *window;
  uintptr_t block, base;
  uintptr_t stack, top;   // of the thread whose local variable it is; 0: none
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
  bool is_found = !pthread_attr_getstack(&attributes, &low, &size) && address >= (uintptr_t)low && address < (uintptr_t)low + size;
  pthread_attr_destroy(&attributes);
  if (is_found) k->stack = (uintptr_t)low, k->top = (uintptr_t)low + size;
  return is_found;
}

void mck_lifetime_begin(struct mck_call *call, const struct mck_window *w) {
  struct kept k = {.window = w, .base = (uintptr_t)w->base};
  struct mck_shadow_block block;
  if (!w->base || !w->size || w->flavor != MPI_WIN_FLAVOR_CREATE || nkept == KEPT_MAX) return;
  // A local variable of a function that has called us, above our own frame.
  if (k.base > (uintptr_t)call->frame && find_stack(k.base, &k)) ;
  else if (mck_heap_is_seen() && mck_heap_find(w->base, &block) && mck_heap_is_certain(&block)) k.block = block.low;
  else return;
  kept[nkept++] = k;
  span();
}

void mck_lifetime_end(const struct mck_window *w) {
  for (unsigned i = 0; i < nkept; i++)
    if (kept[i].window == w) kept[i--] = kept[--nkept];
  span();
}

static void report(const struct kept *k, uint32_t site, const char *what, const char *why) {
  const struct mck_window *w = k->window;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_WINDOW_FREED, site, w->object.site);
  mck_finding_text(f, "memory of a window is gone before MPI_Win_free");
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", what, mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, w->object.site, "it belongs to the window of %s", mck_fn_names[w->object.fn]);
  mck_finding_why(f, "%s", why);
  mck_local_done(f);
}

// All frames of functions that have not returned lie above ours, if it is the same stack.
void mck_lifetime_check(struct mck_call *call, const struct mck_window *w) {
  uintptr_t frame = (uintptr_t)call->frame;
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    if (k->window != w || k->is_said || !k->stack || frame < k->stack || frame >= k->top || k->base + w->size > frame) continue;
    k->is_said = true;
    report(k, mck_call_site(call), mck_fn_names[call->fn], "it was a local variable, and the function has returned: others write into what is there now (MPI-3.1 11.2.5)");
  }
}

void mck_lifetime_freed(const void *block, const void *pc, const void *frame) {
  if (mck_depth || !mck_rt.is_ready) return;   // MPI's own
  if (MCK_UNLIKELY(!mck_is_plain)) mck_level_share();
  mck_depth_set(1);
  mck_lock();
  for (unsigned i = 0; i < nkept; i++) {
    struct kept *k = &kept[i];
    if (k->block != (uintptr_t)block || k->is_said) continue;
    k->is_said = true;
    report(k, mck_stack_site(pc, frame), "free", "until MPI_Win_free has returned others may access it (MPI-3.1 11.2.5)");
  }
  mck_unlock();
  mck_depth_set(0);
}
