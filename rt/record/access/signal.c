// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores that instrumented code signals (abi.h). A conflict with a buffer that MPI is using now is found and
// reported here, at once. Accesses to window memory are noted for the judge (touched-range.c).
#include <string.h>
#include "abi.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/thread-level.h"
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-map.h"
#include "record/buffer/byte-overlap.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/rma/local-race.h"
#include "record/rma/parked-buffer.h"
#include "record/rma/window-lifetime.h"
#include "record/runtime.h"
#include "record/access/access-sample.h"
#include "record/access/touched-range.h"
#include "record/strand/strand-buffer.h"

void mck_signal_report(struct mck_buffer *b, uint32_t site, const struct mck_pieces *a) {
  uint32_t flags = a->flags;
  bool is_store = flags & MCK_SIGNAL_STORE;
  if (b->window) {
    mck_local_race_add(b, site, a);
    return;
  }
  const char *fn = mck_fn_names[b->fn];
  struct mck_finding *f = mck_local_add(is_store ? MCK_CHECK_BUFFER_MODIFIED_IN_USE : MCK_CHECK_BUFFER_READ_IN_USE,
                                        site, b->site);
  mck_finding_text(f, "%s %s that a pending %s %s", mck_access_verb(flags), b->is_array ? "memory" : "a buffer", fn,
                   mck_buffer_role(b));
  mck_finding_place(f, mck_rt.rank, site, "%s by rank %d", mck_access_noun(flags), mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, b->site, "in use since %s", fn);
  mck_finding_why(f, "%s", mck_buffer_rule(b));
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  mck_buffer_map_add(f, b, (struct mck_map_side){.pieces = a}, (struct mck_map_side){.bytes = &bytes});
  mck_local_done(f);
}

// --- signals ---
static bool is_overlapped(const struct mck_buffer *b, const struct mck_pieces *a) {
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  return mck_bytes_touch_pieces(&bytes, a);
}

static bool check_range(const struct mck_byte_range *range, void *context) {
  struct mck_buffer *b = (struct mck_buffer *)((uintptr_t)range - offsetof(struct mck_buffer, range));
  const struct mck_pieces *a = context;
  bool is_freed = a->flags & MCK_PIECES_FREED;
  if (a->flags & MCK_SIGNAL_STORE && b->hash && is_overlapped(b, a)) b->hash = 0; // it is known what changed the buffer
  if ((b->is_marked || (is_freed && !b->is_target)) && is_overlapped(b, a)) {
    if (a->flags & MCK_PIECES_LEFT)
      mck_buffer_report_block(b, mck_stack_site(a->pc, a->frame), a->flags & MCK_PIECES_JUMPED);
    else if (!MCK_UNLIKELY(mck_thread_is_parallel) || is_freed || !mck_strand_buffer_hit(b, a))
      mck_signal_report(b, mck_stack_site(a->pc, a->frame), a);
    if (is_freed) mck_buffer_leave(b); // a new block may lie there
  }
  return false; // go on
}

static void check(struct mck_pieces *a) {
  mck_range_set_find((uintptr_t)a->low, (uintptr_t)a->high, a->flags & MCK_SIGNAL_STORE, check_range, a);
}

// Another thread may wait until this one has left (thread-level.c).
static inline bool enter(void) {
  if (MCK_UNLIKELY(mck_depth || !mck_rt.is_ready)) return false;
  if (MCK_UNLIKELY(!mck_is_plain)) mck_level_share();
  mck_depth_set(1);
  mck_lock();
  return true;
}

static inline void leave(void) {
  mck_unlock();
  mck_depth_set(0);
}

void mck_buffer_begin_free(void) { enter(); }
void mck_buffer_end_free(void) { leave(); }
static void check_freed(const char *low, size_t size, uint32_t flags, const void *pc, const void *frame) {
  struct mck_pieces a = {.low = low,
                         .high = low + size,
                         .size = size,
                         .stride = size,
                         .count = 1,
                         .flags = MCK_SIGNAL_STORE | MCK_PIECES_FREED | flags,
                         .pc = pc,
                         .frame = frame};
  if (size && mck_range_set_size) check(&a);
}
void mck_buffer_check_freed(const void *address, size_t size, const void *pc, const void *frame) {
  check_freed(address, size, 0, pc, frame);
}
void mck_buffer_check_block(const char *low, uint64_t size, const void *pc, const void *frame) {
  check_freed(low, size, MCK_PIECES_LEFT, pc, frame);
  mck_lifetime_block(low, low + size, pc, frame);
}
void mck_buffer_check_jumped(const char *low, uint64_t size, const void *pc, const void *frame) {
  check_freed(low, size, MCK_PIECES_LEFT | MCK_PIECES_JUMPED, pc, frame);
}

static inline bool is_clean(uintptr_t low, uint64_t size, uint64_t flags) {
  return MCK_UNLIKELY(mck_thread_is_parallel) && !(flags & (MCK_SIGNAL_STRING | MCK_SIGNAL_END)) &&
         mck_strand_access_is_clean(low, size);
}

static inline void access_one(const volatile void *address, uint64_t size, uint32_t flags, const void *place,
                              const void *frame, const struct mck_map **map) {
  if (is_clean((uintptr_t)address, size, flags)) return;
  if (MCK_UNLIKELY(flags & MCK_SIGNAL_STRING)) { // the library has just read the string, or is about to
    uint64_t length = strnlen((const char *)address, size);
    size = length < size ? length + 1 : size, flags &= ~(uint32_t)MCK_SIGNAL_STRING;
  }
  if (MCK_UNLIKELY(flags & MCK_SIGNAL_END)) mck_strand_memory_over((uintptr_t)address, (uintptr_t)address + size);
  if (!size || !enter()) return;
  if (MCK_UNLIKELY(flags & MCK_SIGNAL_END)) {
    mck_buffer_check_block((const char *)address, size, place, frame);
    leave();
    return;
  }
  mck_parked_end_at((uintptr_t)address, (uintptr_t)address + size);
  if (!map && !mck_range_set_size && mck_touched_add_single((const char *)address, size, flags, place)) {
    leave();
    return;
  }
  struct mck_pieces a = {.low = (const char *)address,
                         .high = (const char *)address + size,
                         .size = size,
                         .stride = size,
                         .count = 1,
                         .flags = flags,
                         .pc = place,
                         .frame = frame,
                         .map = map};
  if (mck_range_set_size) check(&a);
  if (MCK_UNLIKELY(mck_access_sample_is_on || mck_thread_is_parallel)) mck_strand_access(&a);
  mck_touched_add(&a);
  leave();
}

MCK_EXPORT void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place,
                                const void *frame) {
  access_one(address, size, flags, place, frame, NULL);
}

MCK_EXPORT void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place,
                                    const void *frame, const struct mck_map **map) {
  access_one(address, size, flags, place, frame, map);
}

static void access_range(const char *low, uint64_t size, uint32_t flags, int64_t stride, uint64_t count,
                         const void *place, const void *frame) {
  uint64_t step = (uint64_t)stride;
  if (stride < 0) step = -step, low -= step * (count - 1);
  const char *high = low + step * (count - 1) + size;
  if (step <= size) size = (uint64_t)(high - low), step = size, count = 1; // there are no gaps
  mck_parked_end_at((uintptr_t)low, (uintptr_t)high);
  struct mck_pieces a = {.low = low,
                         .high = high,
                         .size = size,
                         .stride = step,
                         .count = count,
                         .flags = flags,
                         .pc = place,
                         .frame = frame};
  if (mck_range_set_size) check(&a);
  if (MCK_UNLIKELY(mck_access_sample_is_on || mck_thread_is_parallel)) mck_strand_access(&a);
  mck_touched_add(&a);
}

MCK_EXPORT void __mck_access_range_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count,
                                      const void *place, const void *frame) {
  if (!(what >> 8) || !count) return;
  uintptr_t low = (uintptr_t)address, others = (uint64_t)(stride < 0 ? -stride : stride) * (count - 1);
  if (is_clean(stride < 0 ? low - others : low, others + (what >> 8), what) || !enter()) return;
  access_range((const char *)address, what >> 8, what & 255, stride, count, place, frame);
  leave();
}

MCK_EXPORT void __mck_access_grid_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count,
                                     int64_t stride2, uint64_t count2, const void *place, const void *frame) {
  if (!(what >> 8) || !count || !count2 || !enter()) return;
  for (uint64_t k = 0; k < count2; k++)
    access_range((const char *)address + (int64_t)k * stride2, what >> 8, what & 255, stride, count, place, frame);
  leave();
}
