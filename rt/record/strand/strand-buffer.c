// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See strand-buffer.h: what is kept altogether, and the finding.
#include "record/buffer/buffer-map.h"
#include "record/strand/strand-buffer.h"
#include <string.h>
#include "record/access/access-sample.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/stack.h"
#include "record/call/thread-level.h"
#include "record/error/local-finding.h"
#include "record/strand/strand-finding.h"

_Atomic uint8_t mck_strand_pages[MCK_STRAND_PAGES];
_Atomic bool mck_strand_has_memory;
static _Atomic bool is_forgetful; // some memory has ended, and this could not be noted
static uint32_t era;
static _Atomic uint32_t known_era; // the same, for those without the lock

void mck_strand_era_look(void) {
  bool is_over = mck_strand_era_is_over(&era);
  if (!is_over && !MCK_UNLIKELY(atomic_load_explicit(&is_forgetful, memory_order_relaxed))) return;
  atomic_store_explicit(&is_forgetful, false, memory_order_relaxed);
  atomic_store_explicit(&known_era, era, memory_order_relaxed);
  mck_strand_accesses_forget();
  mck_strand_uses_forget();
  for (int i = 0; mck_strand_has_memory && i < MCK_STRAND_PAGES; i++)
    atomic_store_explicit(&mck_strand_pages[i], 0, memory_order_relaxed);
  atomic_store_explicit(&mck_strand_has_memory, false, memory_order_relaxed);
}

static bool enter(void) { // an access of the program, or the end of memory
  if (mck_depth || !mck_rt.is_ready) return false;
  if (!mck_is_plain) mck_level_share();
  mck_depth_set(1);
  mck_lock();
  return true;
}
static void leave(void) {
  mck_unlock();
  mck_depth_set(0);
}

bool mck_strand_tidy(void) {
  if (!mck_strand_has_memory || atomic_load_explicit(&known_era, memory_order_relaxed) == mck_thread_era() || !enter())
    return false;
  mck_strand_era_look();
  leave();
  return true;
}

void mck_strand_memory_over(uintptr_t low, uintptr_t high) {
  if (!mck_strand_has_memory || low >= high) return;
  bool is_own = !mck_depth;
  if (!mck_strand_pages_have(low, high) || !mck_rt.is_ready) return;
  // Within a call (MPI_Free_mem) the library may hold locks that a thread with ours waits for: it is only tried.
  if (!mck_depth) {
    if (!enter()) return;
  } else if (!mck_try_lock()) {
    atomic_store_explicit(&is_forgetful, true, memory_order_relaxed);
    return;
  }
  mck_strand_accesses_over(low, high);
  mck_strand_uses_over(low, high);
  mck_unlock();
  if (is_own) mck_depth_set(0);
}

void mck_strand_buffer_report(const struct mck_strand_call *access, const struct mck_pieces *pieces,
                              const struct mck_buffer *b, const struct mck_strand_call *post) {
  const struct mck_strand_call *first, *second;
  struct mck_strand_call a = *access;
  a.site = mck_stack_site_at(a.pc);
  uint32_t flags = pieces->flags & MCK_SIGNAL_STORE;
  struct mck_finding *f = mck_strand_finding(MCK_CHECK_THREAD_BUFFER, &a, post, &first, &second);
  if (!f) return;
  mck_finding_text(f, "%s a buffer that %s of another thread %s, and nothing orders the two", mck_access_verb(flags),
                   mck_fn_names[b->fn], b->is_written ? "writes" : "reads");
  mck_finding_why(f, "synchronization of the threads puts the access neither before the call nor behind its "
                     "completion (MPI-3.1 3.7.2, 12.4.1); in this run it need not have come between them");
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  struct mck_map_side sides[] = {{.pieces = pieces}, {.bytes = &bytes}};
  mck_buffer_map_add(f, b, sides[first != &a], sides[first == &a]);
  mck_local_done(f);
}
