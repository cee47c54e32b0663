// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that are parked (parked-buffer.h).
#include "record/rma/parked-buffer.h"
#include "abi.h"
#include "record/access/touched-range.h"
#include "record/buffer/buffer-in-use.h"
#include "record/rma/operation-buffer.h"
#include "record/runtime.h"
#include "record/strand/strand-buffer.h"

enum { CREDIT_MAX = 64, CREDIT_LOST = 8, REFUSED = 1024, PAGE = 1 << MCK_PAGE_SHIFT };
struct mck_parked mck_parked = {.credit = CREDIT_MAX};

static bool is_threaded(void) { return mck_strand_has_memory || mck_thread_is_parallel || mck_is_locked(); }
static uintptr_t first_of(const struct mck_buffer *b) { return (uintptr_t)b->low & -(uintptr_t)PAGE; }
static uintptr_t end_of(const struct mck_buffer *b) { return ((uintptr_t)b->high + PAGE - 1) & -(uintptr_t)PAGE; }

// While it is parked its target is its place here.
static void take_out(struct mck_buffer *b) {
  struct mck_parked *p = &mck_parked;
  struct mck_buffer *last = p->buffers[--p->n];
  p->buffers[b->target] = last, last->target = b->target;
  b->is_parked = false;
}

// It was parked in vain. Without credit the next ones are refused; then it is tried again.
static void lose(void) {
  mck_parked.credit -= CREDIT_LOST;
  if (mck_parked.credit <= 0) mck_parked.credit = -REFUSED;
}

static void end(struct mck_buffer *b) {
  take_out(b);
  mck_buffer_leave(b);
  mck_operation_give_back(b);
}

MCK_HOT bool mck_parked_add(struct mck_buffer *b) {
  struct mck_parked *p = &mck_parked;
  bool is_one = b->is_pooled && b->is_marked && b->is_active && !b->is_target && !b->hash;
  if (!is_one || is_threaded() || end_of(b) - first_of(b) > PAGE || mck_touched_is_guarded(b->low, b->high))
    return false;
  if (MCK_UNLIKELY(p->credit <= 0)) {
    p->credit++;
    return false;
  }
  if (MCK_UNLIKELY(p->n == MCK_PARKED_MAX)) end(p->buffers[0]), lose();
  mck_buffer_park(b);
  if (!p->n) p->low = first_of(b), p->high = end_of(b);
  if (first_of(b) < p->low) p->low = first_of(b);
  if (end_of(b) > p->high) p->high = end_of(b);
  b->is_parked = true, b->target = (int)p->n;
  p->buffers[p->n++] = b;
  return true;
}

MCK_HOT bool mck_parked_take(struct mck_buffer *b) {
  if (MCK_UNLIKELY(is_threaded())) {
    end(b);
    return false;
  }
  take_out(b);
  if (mck_parked.credit < CREDIT_MAX) mck_parked.credit++;
  return true;
}

void mck_parked_end_near(uintptr_t low, uintptr_t high) {
  struct mck_parked *p = &mck_parked;
  for (unsigned i = p->n; i--;) {
    struct mck_buffer *b = p->buffers[i];
    if (low >= end_of(b) || high <= first_of(b)) continue;
    end(b), lose();
  }
}

void mck_parked_end_all(void) {
  while (mck_parked.n) end(mck_parked.buffers[mck_parked.n - 1]);
}
