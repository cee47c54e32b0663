// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in use, from the begin of an operation to its completion: listed where a signalled access looks for them
// (signal.c), their pages marked in the filter, and compared with each other (buffer-overlap.c).
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-hash.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/stack.h"
#include "record/rma/local-race.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

static struct mck_buffer *epochs; // buffers of RMA operations, in use until their window is synchronized
size_t mck_nactive;
struct mck_buffer *mck_buffers_by_page[MCK_BUFFER_BUCKETS], *mck_buffers_long;
static struct mck_buffer *spare; // free entries, for RMA operations

static inline void mark(const struct mck_buffer *b, int by) {
  mck_filter_mark((uintptr_t)b->low, (uintptr_t)b->high, by, b->is_written);
  if (MCK_UNLIKELY(mck_nwindows)) mck_touched_guard(b->low, b->high, by);
}

static void give_back(struct mck_buffer *b) {
  if (b->is_pooled) b->next = spare, spare = b;
}

MCK_HOT bool mck_buffer_define(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *t,
                               bool is_written, uint16_t fn) {
  b->low = b->high = NULL, b->is_active = b->is_marked = b->range.is_listed = false;
  // Where PMPI_Wait may be called without our knowledge it is not known when a buffer is free again.
  bool is_used = !mck_rt.is_profiler && count > 0 && address != MPI_IN_PLACE && mck_rt.is_ready;
  // Of a type whose exact bytes are unknown it is not known which bytes are in use.
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
  return (uintptr_t)b->high >> MCK_PAGE_SHIFT > page + 1 ? &mck_buffers_long
                                                         : &mck_buffers_by_page[page % MCK_BUFFER_BUCKETS];
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
  if (MCK_UNLIKELY(mck_options.hash_sends)) mck_buffer_hash_begin(b);
  mck_overlap_begin(b);
  b->is_active = b->range.is_listed;
  if (!mck_rt.is_instrumented || !mck_options.access) return;
  if (MCK_LIKELY(b->range.is_listed)) {
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
  mck_range_set_remove(&b->range);
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
    if (MCK_UNLIKELY(mck_nlocal_races)) mck_local_race_end(b, mck_call_site(call), call->fn);
    mck_buffer_end(b);
    give_back(b);
  }
}
