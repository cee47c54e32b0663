// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores that instrumented code signals (abi.h), and the buffers in use that they are compared with. A
// conflict with a buffer that MPI is using now is found and reported here, at once. Accesses to window memory are
// noted for the judge (touched-range.c).
#include <string.h>
#include "abi.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/thread-level.h"
#include "record/buffer/buffer-hash.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/rma/local-race.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

static struct mck_buffer *epochs; // buffers of RMA operations, in use until their window is synchronized
size_t mck_nactive;
// Buffers of RMA operations by page, so that an access is compared with few of them. A buffer that begins in page p
// and ends in it or the next one is in by_page[p % BUCKETS], a longer one in long_ones. All other buffers are found
// as ranges (buffer-overlap.c).
enum { BUCKETS = 1024 };
static struct mck_buffer *by_page[BUCKETS], *long_ones;
static struct mck_buffer *spare; // free entries, for RMA operations

static inline void mark(const struct mck_buffer *b, int by) {
  mck_filter_mark((uintptr_t)b->low, (uintptr_t)b->high, by, b->is_written);
  if (MCK_UNLIKELY(mck_nwindows)) mck_touched_guard(b->low, b->high, by);
}

// --- buffers in use ---
static void give_back(struct mck_buffer *b) {
  if (b->is_pooled) b->next = spare, spare = b;
}

MCK_HOT bool mck_buffer_define(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *t,
                               bool is_written, uint16_t fn) {
  b->low = b->high = NULL, b->is_active = b->is_marked = b->span.is_listed = false;
  // Where PMPI_Wait may go unseen it is not known when a buffer is free again.
  bool is_used = !mck_rt.is_profiler && count > 0 && address != MPI_IN_PLACE && mck_rt.is_ready;
  // Of a type whose exact bytes are unknown, nothing can be said to be in use.
  if (!is_used || !t || t->nblocks == MCK_NONE || t->nblocks == 0) {
    give_back(b);
    return false;
  }
  int64_t low = 0, high = count * t->extent;
  if (MCK_UNLIKELY(!t->is_dense)) {
    const struct mck_block *first = &t->blocks[0], *last = &t->blocks[t->nblocks - 1];
    int64_t span = (count - 1) * t->extent;
    low = first->offset, high = last->offset + (int64_t)last->length;
    if (span < 0) low += span;
    else high += span;
  }
  b->low = (const char *)address + low, b->high = (const char *)address + high;
  b->type = t->is_dense ? NULL : t, b->generation = t->generation;
  b->address = address, b->count = count, b->fn = fn, b->is_written = is_written;
  return true;
}

MCK_HOT void mck_buffer_begin(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *t,
                              bool is_written, uint32_t site, uint16_t fn) {
  if (mck_buffer_define(b, address, count, t, is_written, fn)) mck_buffer_restart(b, site);
}

void mck_request_begin_uses(struct mck_request *r, const struct mck_call *call) {
  for (unsigned i = 0; i < call->nuses && i < 2; i++) {
    const struct mck_use *u = &call->uses[i];
    if (call->is_doubtful || !u->is_exact || r->used >> u->is_written & 1) continue; // its bytes are not known
    struct mck_buffer *b = mck_request_buffer(r, u->is_written, NULL);
    b->low = u->low, b->high = u->high, b->type = u->type, b->generation = u->generation;
    b->address = u->address, b->count = u->count, b->fn = call->fn, b->is_written = u->is_written;
    mck_buffer_restart(b, r->site);
  }
}

static struct mck_buffer **bucket_of(const struct mck_buffer *b) {
  uintptr_t page = (uintptr_t)b->low >> MCK_PAGE_SHIFT;
  return (uintptr_t)b->high >> MCK_PAGE_SHIFT > page + 1 ? &long_ones : &by_page[page % BUCKETS];
}

// A loop may put the same bytes again and again, since MPI only reads them. One entry is enough for them: until the
// epoch ends they differ in nothing.
static bool is_twin(const struct mck_buffer *a, const struct mck_buffer *b) {
  return a->is_pooled && b->is_pooled && a->address == b->address && a->count == b->count && a->low == b->low &&
         a->high == b->high && a->type == b->type && a->generation == b->generation && a->window == b->window &&
         a->site == b->site && a->fn == b->fn && a->is_written == b->is_written;
}

MCK_HOT void mck_buffer_restart(struct mck_buffer *b, uint32_t site) {
  enum { LOOKED_AT = 4 };
  mck_base_check_lock();
  b->site = site;
  if (MCK_UNLIKELY(mck_options.hash_sends)) mck_hashed_begin(b);
  mck_overlap_begin(b);
  b->is_active = b->span.is_listed;
  if (!mck_rt.is_instrumented || !mck_options.access) return;
  if (MCK_LIKELY(b->span.is_listed)) {
    b->is_marked = true, b->at = NULL;
    mark(b, 1);
    return;
  }
  struct mck_buffer **bucket = bucket_of(b), *other = b->is_pooled ? *bucket : NULL;
  for (int i = 0; MCK_UNLIKELY(other != NULL) && i < LOOKED_AT; i++, other = other->near) {
    if (!is_twin(other, b)) continue;
    if (other->target != b->target) other->target = MCK_TARGETS;
    give_back(b);
    return;
  }
  b->is_active = b->is_marked = true;
  mck_nactive++;
  if (b->window) {
    b->previous = NULL, b->next = epochs;
    if (epochs) epochs->previous = b;
    epochs = b;
  }
  b->near = *bucket, b->at = bucket;
  if (b->near) b->near->at = &b->near;
  *bucket = b;
  mark(b, 1);
}

MCK_HOT void mck_buffer_end(struct mck_buffer *b) {
  mck_base_check_lock();
  if (!b->is_active) return;
  b->is_active = false;
  mck_spans_remove(&b->span);
  if (!b->is_marked) return;
  b->is_marked = false;
  mark(b, -1);
  if (MCK_LIKELY(!b->at))
    return; // it was found by its range, which an overwritten request has lost already (mck_request_track)
  mck_nactive--;
  if (b->window) {
    if (b->previous) b->previous->next = b->next;
    else epochs = b->next;
    if (b->next) b->next->previous = b->previous;
  }
  *b->at = b->near;
  if (b->near) b->near->at = b->at;
}

static struct mck_buffer *take(struct mck_window *w, uint16_t target) {
  if (!mck_rt.is_instrumented || !mck_options.access) return NULL;
  enum {
    BATCH = 128
  }; // many at once: small blocks of ours among the program's would pull those apart (object/plain-object.c)
  if (!spare) {
    struct mck_buffer *batch = calloc(BATCH, sizeof *batch);
    for (int i = 0; batch && i < BATCH; i++) batch[i].next = spare, spare = &batch[i];
  }
  struct mck_buffer *b = spare;
  if (!b) return NULL;
  spare = b->next;
  *b = (struct mck_buffer){.window = w, .is_pooled = true, .target = target};
  return b;
}

// Whether an operation is given the same buffer again by the same place, so that is_twin is true of the two.
static inline bool is_repeated(const struct mck_buffer *l, const struct mck_window *w, const void *address,
                               MPI_Aint count, const struct mck_type *t, bool is_written, uint32_t site, uint16_t fn) {
  bool is_same_buffer = l && l->is_active && l->is_pooled && l->address == address && l->count == count &&
                        l->window == w && l->site == site && l->fn == fn && l->is_written == is_written;
  return is_same_buffer && t && l->type == (t->is_dense ? NULL : t) && l->generation == t->generation &&
         !mck_options.hash_sends && (!t->is_dense || l->high - l->low == count * t->extent);
}

void mck_buffer_begin_rma(struct mck_window *w, int to, const void *address, MPI_Aint count, const struct mck_type *t,
                          bool is_written, uint32_t site, uint16_t fn) {
  static struct mck_buffer *last[2];
  struct mck_buffer *l = last[is_written];
  uint16_t target = (uint16_t)((unsigned)to % MCK_TARGETS);
  if (MCK_LIKELY(is_repeated(l, w, address, count, t, is_written, site, fn))) {
    if (l->target != target) l->target = MCK_TARGETS;
    return;
  }
  struct mck_buffer *b = take(w, target);
  if (!b) return;
  mck_buffer_begin(b, address, count, t, is_written, site, fn);
  last[is_written] = b;
}

// Where one flush completes a buffer that is in use for several targets, it is not known what is still open: the
// buffer is not watched any longer.
void mck_window_complete(struct mck_window *w, int target, struct mck_call *call) {
  for (struct mck_buffer *b = epochs, *next; b; b = next) {
    next = b->next;
    if (b->window != w || (target >= 0 && b->target != MCK_TARGETS && b->target != (unsigned)target % MCK_TARGETS))
      continue;
    if (MCK_UNLIKELY(mck_naccused)) mck_accused_end(b, mck_call_site(call), call->fn);
    mck_buffer_end(b);
    give_back(b);
  }
}

static bool touches(const struct mck_buffer *b, const char *low, const char *high) {
  if (low >= b->high || high <= b->low) return false;
  if (!b->type) return true;
  const struct mck_type *t = b->type;
  if (t->generation != b->generation) return false; // its bytes are not known any more
  // Copies on top of each other or backwards are not worth being exact: nothing is claimed of them.
  if (t->extent <= 0) return false;
  const struct mck_block *last = &t->blocks[t->nblocks - 1];
  int64_t end = last->offset + (int64_t)last->length, from = low - b->address, to = high - b->address;
  // Element k takes [k*extent + first.offset, k*extent + end): these are the elements that may overlap [from, to).
  int64_t k0 = (from - end) / t->extent - 1, k1 = (to - t->blocks[0].offset) / t->extent + 1;
  if (k0 < 0) k0 = 0;
  if (k1 >= b->count) k1 = b->count - 1;
  for (int64_t k = k0; k <= k1; k++) {
    for (uint32_t i = 0; i < t->nblocks; i++) {
      int64_t start = k * t->extent + t->blocks[i].offset;
      if (start < to && start + (int64_t)t->blocks[i].length > from) return true;
    }
  }
  return false;
}

static void report(struct mck_buffer *b, uint32_t site, uint32_t flags) {
  bool is_store = flags & MCK_SIGNAL_STORE;
  if (is_store) b->hash = 0; // it is known what changed the buffer
  if (b->window) {
    mck_accused_add(b, site, flags);
    return;
  }
  const char *fn = mck_fn_names[b->fn];
  struct mck_finding *f = mck_local_add(is_store ? MCK_CHECK_BUFFER_MODIFIED_IN_USE : MCK_CHECK_BUFFER_READ_IN_USE,
                                        site, b->site);
  mck_finding_text(f, "%s a buffer that a pending %s %s", mck_gone_verb(flags), fn,
                   b->is_written ? "will write" : "is sending from");
  mck_finding_place(f, mck_rt.rank, site, "%s by rank %d", mck_gone_noun(flags), mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, b->site, "in use since %s", fn);
  mck_finding_why(f, mck_fn_classes[b->fn] == MCK_CLASS_file
                         ? "the access is complete only when its end function has returned (MPI-3.1 13.4.5)"
                         : "the operation is complete only when MPI_Wait or MPI_Test says so (MPI-3.1 3.7.2)");
  mck_local_done(f);
}

// --- signals ---
// Whether a piece overlaps the buffer. Pieces outside of its hull are left out.
static bool is_met(const struct mck_buffer *b, const struct mck_pieces *a) {
  if (a->count == 1) return touches(b, a->low, a->high);
  int64_t below = b->low - (a->low + a->size), above = b->high - a->low;
  if (above <= 0) return false;
  uint64_t k = below < 0 ? 0 : (uint64_t)below / a->stride, end = ((uint64_t)above - 1) / a->stride + 1;
  if (end > a->count) end = a->count;
  for (const char *low = a->low + k * a->stride; k < end; k++, low += a->stride)
    if (touches(b, low, low + a->size)) return true;
  return false;
}

static void check_buffer(struct mck_buffer *b, const struct mck_pieces *a) {
  bool is_store = a->flags & MCK_SIGNAL_STORE;
  if ((is_store || b->is_written) && is_met(b, a)) report(b, mck_stack_site(a->pc, a->frame), a->flags);
}

static bool check_span(const struct mck_span *span, void *context) {
  struct mck_buffer *b = (struct mck_buffer *)((uintptr_t)span - offsetof(struct mck_buffer, span));
  const struct mck_pieces *a = context;
  if (b->is_marked || a->flags & MCK_PIECES_FREED) check_buffer(b, a);
  return false; // go on
}

static void check(struct mck_pieces *a) {
  if (mck_nspans) mck_spans_find((uintptr_t)a->low, (uintptr_t)a->high, a->flags & MCK_SIGNAL_STORE, check_span, a);
  if (!mck_nactive) return;
  for (struct mck_buffer *b = long_ones; b; b = b->near) check_buffer(b, a);
  uintptr_t first = ((uintptr_t)a->low >> MCK_PAGE_SHIFT) - 1, last = ((uintptr_t)a->high - 1) >> MCK_PAGE_SHIFT;
  if (last - first >= BUCKETS) last = first + BUCKETS - 1;
  for (uintptr_t p = first; p <= last; p++)
    for (struct mck_buffer *b = by_page[p % BUCKETS]; b; b = b->near) check_buffer(b, a);
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

void mck_gone_begin(void) { enter(); }
void mck_gone_end(void) { leave(); }
void mck_gone_tell(const void *address, size_t size, const void *pc, const void *frame) {
  const char *low = address;
  struct mck_pieces a = {.low = low,
                         .high = low + size,
                         .size = size,
                         .stride = size,
                         .count = 1,
                         .flags = MCK_SIGNAL_STORE | MCK_PIECES_FREED,
                         .pc = pc,
                         .frame = frame};
  if (size) check(&a);
}

static inline void access_one(const volatile void *address, uint64_t size, uint32_t flags, const void *place,
                              const void *frame, const struct mck_map **map) {
  if (MCK_UNLIKELY(flags & MCK_SIGNAL_STRING)) { // the library has just read the string, or is about to
    uint64_t length = strnlen((const char *)address, size);
    size = length < size ? length + 1 : size, flags &= ~(uint32_t)MCK_SIGNAL_STRING;
  }
  if (!size || !enter()) return;
  struct mck_pieces a = {.low = (const char *)address,
                         .high = (const char *)address + size,
                         .size = size,
                         .stride = size,
                         .count = 1,
                         .flags = flags,
                         .pc = place,
                         .frame = frame,
                         .map = map};
  if (mck_nspans | mck_nactive) check(&a);
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
  struct mck_pieces a = {.low = low,
                         .high = high,
                         .size = size,
                         .stride = step,
                         .count = count,
                         .flags = flags,
                         .pc = place,
                         .frame = frame};
  if (mck_nspans | mck_nactive) check(&a);
  mck_touched_add(&a);
}

MCK_EXPORT void __mck_access_range_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count,
                                      const void *place, const void *frame) {
  if (!(what >> 8) || !count || !enter()) return;
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
