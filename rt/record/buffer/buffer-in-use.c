// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in use, from the begin of an operation to its completion: their ranges listed, where a signalled access
// (signal.c) and the buffers of other operations (buffer-overlap.c) look for them, and their pages marked in the
// filter.
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-hash.h"
#include "record/access/unsignalled.h"
#include "record/rma/operation-buffer.h"
#include "record/rma/own-target-list.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"
#include "record/strand/strand-buffer.h"

static inline void mark(const struct mck_buffer *b, int by) {
  mck_filter_mark((uintptr_t)b->low, (uintptr_t)b->high, by, b->is_written);
  if (MCK_UNLIKELY(mck_nwindows)) mck_touched_guard(b->low, b->high, by);
}

static inline __attribute__((always_inline)) bool define(struct mck_buffer *b, const void *address, MPI_Aint count,
                                                         const struct mck_type *t, bool is_written, uint16_t fn) {
  b->low = b->high = NULL, b->is_active = b->is_marked = b->range.is_listed = false;
  // Where PMPI_Wait may be called without our knowledge it is not known when a buffer is free again.
  bool is_used = !mck_rt.is_profiler && count > 0 && address != MPI_IN_PLACE && mck_rt.is_ready;
  // Of a type whose exact bytes are unknown it is not known which bytes are in use.
  if (!is_used || !t || t->nblocks == MCK_NONE || t->nblocks == 0) return false;
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

// RMA: a synchronization of the window completes the operation, too (MPI-3.1 11.5).
static inline struct mck_buffer **list_of(const struct mck_buffer *b) {
  return b->is_late ? &b->window->targets : &b->window->buffers;
}

static inline void enter_window(struct mck_buffer *b) {
  struct mck_buffer **list = list_of(b);
  b->previous = NULL, b->next = *list;
  if (b->next) b->next->previous = b;
  *list = b;
}

static inline void leave_window(struct mck_buffer *b) {
  if (b->previous) b->previous->next = b->next;
  else *list_of(b) = b->next;
  if (b->next) b->next->previous = b->previous;
}

static inline bool may_meet(const struct mck_buffer *b) {
  uintptr_t low = (uintptr_t)b->low, high = (uintptr_t)b->high;
  return mck_range_set_may_meet(low, high, b->is_written) || mck_own_target_is_near(low, high);
}

static inline void list(struct mck_buffer *b) {
  b->range.is_written = b->is_written;
  mck_range_set_add(&b->range);
}

static inline __attribute__((always_inline)) void restart(struct mck_buffer *b, uint32_t site) {
  mck_base_check_lock();
  b->site = site;
  if (MCK_UNLIKELY(mck_options.hash_sends)) mck_buffer_hash_begin(b);
  b->is_active = !mck_rt.is_profiler && MCK_LIKELY(b->low < b->high);
  if (MCK_UNLIKELY(!b->is_active)) return;
  if (MCK_UNLIKELY(may_meet(b))) mck_overlap_look(b);
  list(b);
  if (b->window) enter_window(b);
  if (!mck_rt.is_instrumented || !mck_options.access) {
    mck_unsignalled_is_relevant = true; // mck_filter_mark_page says so otherwise
    return;
  }
  b->is_marked = true;
  mark(b, 1);
  if (MCK_UNLIKELY(mck_thread_is_parallel)) mck_strand_buffer_begin(b);
}

MCK_HOT bool mck_buffer_define(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *t,
                               bool is_written, uint16_t fn) {
  return define(b, address, count, t, is_written, fn);
}
MCK_HOT void mck_buffer_restart(struct mck_buffer *b, uint32_t site) { restart(b, site); }
MCK_HOT void mck_buffer_begin(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *t,
                              bool is_written, uint32_t site, uint16_t fn) {
  if (define(b, address, count, t, is_written, fn)) restart(b, site);
}

void mck_buffer_begin_target(struct mck_buffer *b) {
  mck_base_check_lock();
  list(b);
  b->is_active = true;
  enter_window(b);
}

MCK_HOT void mck_buffer_park(struct mck_buffer *b) {
  mck_range_set_remove(&b->range);
  b->is_active = false;
  leave_window(b);
}

MCK_HOT void mck_buffer_revive(struct mck_buffer *b) {
  if (MCK_UNLIKELY(may_meet(b))) mck_overlap_look(b);
  list(b);
  b->is_active = true;
  enter_window(b);
}

MCK_HOT void mck_buffer_leave(struct mck_buffer *b) {
  mck_range_set_remove(&b->range);
  if (b->is_marked) mark(b, -1);
  b->is_marked = false;
}

MCK_HOT void mck_buffer_end(struct mck_buffer *b) {
  mck_base_check_lock();
  if (!b->is_active) return;
  b->is_active = false;
  if (MCK_UNLIKELY(mck_strand_has_memory || mck_thread_is_parallel)) mck_strand_buffer_end(b);
  mck_buffer_leave(b); // an overwritten request has lost its range already (mck_request_track)
  if (!b->window) return;
  leave_window(b);
  if (!b->is_pooled && MCK_UNLIKELY(b->own_target != NULL)) mck_operation_end_target(b->own_target);
}

const char *mck_buffer_role(const struct mck_buffer *b) {
  return b->is_array ? "has as an argument array" : b->is_written ? "will write" : "is sending from";
}

const char *mck_buffer_rule(const struct mck_buffer *b) {
  if (b->is_array)
    return "MPI may read the counts, displacements and datatypes until MPI_Wait or MPI_Test says that the operation is "
           "complete (MPI-3.1 5.12)";
  if (mck_fn_classes[b->fn] == MCK_CLASS_file)
    return "the access is complete only when its end function has returned (MPI-3.1 13.4.5)";
  return "the operation is complete only when MPI_Wait or MPI_Test says so (MPI-3.1 3.7.2)";
}
