// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread.buffer: a load or store of one strand and an operation of another one, from its post to its completion, that
// nothing orders (docs/design/threads.md). Which of them came first in this run does not matter. So both are kept while
// several strands live:
//
//   access  a signalled load or store (strand-access.c)
//   use     a buffer of an operation, from its post on (buffer-use.c); past: it is complete, and perhaps there are
//           strands that this is not ordered before
//
// All is forgotten when an era ends (thread/thread-order.h): then all that comes is ordered behind it. All calls are
// made under the lock, but for those that say otherwise.
#pragma once
#include "object/object.h"
#include "record/buffer/heap.h"
#include "record/access/touched-range.h"
#include "record/strand/strand-call.h"

// Is the order of the calling thread known, and the end of each heap block? Another allocator gives a block to another
// thread, and orders the two in its own way.
static inline bool mck_strand_memory_is_known(void) { return mck_thread_is_known() && mck_heap_is_seen(); }

void mck_strand_access(const struct mck_pieces *a);            // of the calling thread, as it is signalled
bool mck_strand_access_is_clean(uintptr_t low, uint64_t size); // nothing to look at (clean-page.h); without the lock
// b is in use, and a touches it. true: thread order does not put the access behind the post, and this has dealt with it
bool mck_strand_buffer_hit(const struct mck_buffer *b, const struct mck_pieces *a);
void mck_strand_buffer_begin(const struct mck_buffer *b); // it is in use from now on, and no longer
void mck_strand_buffer_end(const struct mck_buffer *b);
void mck_strand_call_uses(struct mck_call *call, const struct mck_strand_call *now); // a blocking call's buffers
void mck_strand_call_used(const struct mck_call *call);

// Memory gets another meaning: it is freed, or its task or thread has ended. Any thread, without the lock.
void mck_strand_memory_over(uintptr_t low, uintptr_t high);
extern _Atomic bool mck_strand_has_memory; // something is kept
// Is something marked that has lost its meaning since? Then it is unmarked. Without the lock.
bool mck_strand_tidy(void);

// --- for the files of this check ---
// Accesses before the post that a section excludes which has both the post and the access. Is it over before the
// completion, it does not. More than these are forgotten.
enum { MCK_STRAND_EXCLUDED_MAX = 4 };
struct mck_strand_excluded {
  uint32_t n;
  struct {
    uint32_t number;
    struct mck_moment moment;
  } accesses[MCK_STRAND_EXCLUDED_MAX];
};
struct mck_strand_use {
  struct mck_buffer buffer; // a copy
  struct mck_strand_call post, end;
  struct mck_strand_excluded excluded;
  const struct mck_call *call; // it blocks in this call; NULL: past
  bool is_marked;              // of a blocking call: its pages are
  bool is_early;               // posted before there were several strands
};
enum { MCK_STRAND_PAGES = 4096 };
extern _Atomic uint8_t mck_strand_pages[MCK_STRAND_PAGES]; // by page: something of it is kept
static inline void mck_strand_pages_add(uintptr_t low, uintptr_t high) {
  uintptr_t first = low >> 12, last = (high - 1) >> 12;
  if (last - first >= MCK_STRAND_PAGES) last = first + MCK_STRAND_PAGES - 1;
  for (uintptr_t p = first; p <= last; p++)
    atomic_store_explicit(&mck_strand_pages[p % MCK_STRAND_PAGES], 1, memory_order_relaxed);
}
static inline bool mck_strand_pages_have(uintptr_t low, uintptr_t high) {
  uintptr_t p = low >> 12, last = (high - 1) >> 12;
  if (last - p >= MCK_STRAND_PAGES) last = p + MCK_STRAND_PAGES - 1;
  for (; p <= last; p++)
    if (atomic_load_explicit(&mck_strand_pages[p % MCK_STRAND_PAGES], memory_order_relaxed)) return true;
  return false;
}
// Kept accesses and an operation on b, which begins by post. Adds those that a section excludes.
void mck_strand_accesses_check(const struct mck_buffer *b, const struct mck_strand_call *post,
                               struct mck_strand_excluded *excluded);
void mck_strand_excluded_check(const struct mck_strand_use *u); // the excluded ones: the operation is complete now
void mck_strand_accesses_over(uintptr_t low, uintptr_t high);
void mck_strand_accesses_forget(void);
void mck_strand_uses_check(const struct mck_pieces *a, const struct mck_strand_call *now);
// All uses of these bytes that are kept are ordered before the calling strand's now, by its threads alone.
bool mck_strand_uses_are_before(uintptr_t low, uintptr_t high);
void mck_strand_uses_over(uintptr_t low, uintptr_t high);
void mck_strand_uses_forget(void);
void mck_strand_era_look(void); // forgets all if the era is over
void mck_strand_buffer_report(const struct mck_strand_call *access, const struct mck_pieces *pieces,
                              const struct mck_buffer *b, const struct mck_strand_call *post);
