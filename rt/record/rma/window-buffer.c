// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that lie in window memory themselves. While an RMA operation is not complete at its origin, MPI loads the
// origin buffer and stores into the result buffer. An access of another rank to those bytes conflicts with that like
// with a load or store of ours (MPI-3.1 11.7). Each buffer is an ACCESS directly behind its operation; the judge knows
// when the operation is over. So it is with buffers of sends, receives and collectives (3.7.2, 5.12). Those of blocking
// calls are plain accesses: what is sent is loaded before anybody can learn of it by this call, and what comes is
// stored when this rank knows what the senders knew.
#include <string.h>
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/byte-overlap.h"
#include "record/call/call-args.h"
#include "record/call/call-event.h"
#include "record/call/call-object.h"
#include "record/call/stack.h"
#include "record/rma/attached-memory.h"
#include "record/rma/repeated-events.h"
#include "record/rma/window-buffer.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

// A buffer that takes more events is left out, and so is one of more pieces in a dynamic window.
enum { EVENTS_MAX = 64, PARTS_MAX = 8192 };

struct access {
  uint8_t flags;
  int32_t made_by; // of MESSAGE: 1 + the function
  uint32_t site;
};

static void write_access(const struct mck_window *w, const struct access *a, const char *low, uint64_t size, uint64_t n,
                         int64_t stride) {
  const char *high = low + size;
  if (size > INT32_MAX || n > UINT32_MAX || (n > 1 && (stride < (int64_t)size || stride > INT32_MAX))) return;
  if (n > 1) high += (n - 1) * (uint64_t)stride;
  if (n > 1 && (low < w->base || high > w->base + w->size)) return;
  if (low < w->base) low = w->base;
  if (high > w->base + w->size) high = w->base + w->size;
  if (low >= high || !mck_rt.is_ready) return;
  mck_repeated_put(mck_access_unit(a->flags, (uint16_t)w->owner, a->site, w->object.id,
                                   n > 1 ? (uint32_t)size : (uint32_t)(high - low),
                                   w->origin + (uint64_t)(low - w->base), (uint32_t)n,
                                   n > 1 ? (int32_t)stride : a->made_by),
                   false);
}

struct attached {
  const struct mck_window *window;
  const struct access *access;
};
static void write_attached(void *context, const char *low, const char *high) {
  const struct attached *a = context;
  struct mck_window w = {.object = a->window->object,
                         .base = (char *)(uintptr_t)low,
                         .size = (uint64_t)(high - low),
                         .origin = (uintptr_t)low};
  write_access(&w, a->access, low, w.size, 1, 0);
}

static void log_attached(struct attached *a, const char *address, int64_t count, const struct mck_type *t) {
  if (t->is_dense)
    mck_attached_each(a->window, address + t->low, address + (count - 1) * t->extent + t->high, write_attached, a);
  else
    for (int64_t k = 0; count <= PARTS_MAX / t->nblocks && k < count; k++)
      for (uint32_t i = 0; i < t->nblocks; i++) {
        const char *low = address + k * t->extent + t->blocks[i].offset;
        mck_attached_each(a->window, low, low + t->blocks[i].length, write_attached, a);
      }
}

// Blocks of one length that are equally far apart: one event.
struct run {
  int64_t offset, stride;
  uint64_t length, n;
};

// Returns the number of runs; 0: there are more than EVENTS_MAX.
static unsigned find_runs(const struct mck_type *t, struct run *runs) {
  unsigned n = 0;
  for (uint32_t i = 0; i < t->nblocks; i++) {
    const struct mck_block *b = &t->blocks[i];
    struct run *last = n ? &runs[n - 1] : NULL;
    int64_t stride = last ? b->offset - t->blocks[i - 1].offset : 0;
    if (last && last->length == b->length && (last->n == 1 || last->stride == stride)) {
      last->stride = stride, last->n++;
      continue;
    }
    if (n == EVENTS_MAX) return 0;
    runs[n++] = (struct run){b->offset, 0, b->length, 1};
  }
  return n;
}

// The copies of a type with gaps, in the fewest events: each block with its copies, or each copy by its runs. Copies
// that go on where the one before ends are one run.
static void log_copies(const struct mck_window *w, const struct access *a, const char *address, int64_t count,
                       const struct mck_type *t) {
  struct run runs[EVENTS_MAX];
  unsigned n = find_runs(t, runs);
  if (n == 1 && count > 1 && runs[0].n > 1 && t->extent == (int64_t)runs[0].n * runs[0].stride)
    runs[0].n *= (uint64_t)count, count = 1;
  if (n && count <= EVENTS_MAX / n && (uint64_t)count * n <= t->nblocks) {
    for (int64_t k = 0; k < count; k++)
      for (unsigned i = 0; i < n; i++)
        write_access(w, a, address + k * t->extent + runs[i].offset, runs[i].length, runs[i].n, runs[i].stride);
    return;
  }
  for (uint32_t i = 0; t->nblocks <= EVENTS_MAX && i < t->nblocks; i++)
    write_access(w, a, address + t->blocks[i].offset, t->blocks[i].length, (uint64_t)count, t->extent);
}

static void log_elements(const struct access *a, const void *address, int64_t count, const struct mck_type *t) {
  if (!mck_nwindows || !t || count <= 0 || !t->nblocks || t->nblocks == MCK_NONE || t->extent <= 0) return;
  int64_t span;
  if (__builtin_mul_overflow(count - 1, t->extent, &span)) return;
  const char *first = (const char *)address + t->low, *end = (const char *)address + span + t->high;
  for (const struct mck_window *w = mck_windows; w; w = w->next) {
    if (w->attached) log_attached(&(struct attached){w, a}, address, count, t);
    if (first >= w->base + w->size || end <= w->base || w->origin)
      continue; // origin: found with the window that it belongs to
    if (t->is_dense) write_access(w, a, first, (uint64_t)(end - first), 1, 0);
    else log_copies(w, a, address, count, t);
  }
}

void mck_window_buffer_log(const void *address, int64_t count, const struct mck_type *t, bool is_written,
                           uint32_t site) {
  struct access a = {MCK_ACCESS_BUFFER | (is_written ? MCK_ACCESS_STORE : 0), 0, site};
  log_elements(&a, address, count, t);
}

// --- sends, receives, collectives ---
static void log_bytes(const struct mck_bytes *b, uint8_t flags, uint16_t fn, uint32_t site) {
  static const struct mck_type byte = {.size = 1, .extent = 1, .high = 1, .nblocks = 1, .is_dense = true};
  struct access a = {MCK_ACCESS_MESSAGE | flags, 1 + fn, site};
  if (!b->is_known) return;
  if (b->type) log_elements(&a, b->address, b->count, b->type);
  else log_elements(&a, b->low, b->high - b->low, &byte);
}

void mck_window_message_begin(struct mck_call *call) {
  if (call->nfindings) return;
  uint32_t site = mck_call_site(call);
  for (unsigned i = 0; i < call->nuses; i++) {
    struct mck_bytes bytes = mck_bytes_of_use(&call->uses[i]);
    if (!call->uses[i].is_written) log_bytes(&bytes, 0, call->fn, site);
  }
}

void mck_window_message_stored(struct mck_call *call, const struct mck_bytes *bytes) {
  log_bytes(bytes, MCK_ACCESS_STORE, call->fn, mck_call_site(call));
}

void mck_window_message_posted(struct mck_call *call) {
  for (unsigned i = 0; call->event != MCK_NONE && i < call->nuses; i++) {
    struct mck_bytes bytes = mck_bytes_of_use(&call->uses[i]);
    log_bytes(&bytes, MCK_ACCESS_BUFFER | (call->uses[i].is_written ? MCK_ACCESS_STORE : 0), call->fn,
              mck_call_site(call));
  }
}

void mck_window_message_started(const struct mck_request *r, uint32_t site) {
  for (int i = 0; r->event != MCK_NONE && i < 2; i++) {
    struct mck_bytes bytes = mck_bytes_of_buffer(&r->buffers[i]);
    if (r->used >> i & 1 && r->buffers[i].low)
      log_bytes(&bytes, MCK_ACCESS_BUFFER | (i ? MCK_ACCESS_STORE : 0), r->fn, site);
  }
}

// --- files ---
// A request of a file has no event of its own, and a split operation has no request: a PAD stands for it, which the
// completion names (MPI-3.1 13.4.1, 13.4.5).
uint32_t mck_window_file_begun(struct mck_call *call) {
  bool is_inside = false;
  for (unsigned i = 0; i < call->nuses; i++)
    is_inside |= !mck_window_buffer_is_outside(call->uses[i].low, call->uses[i].high);
  if (!is_inside || call->nfindings) return MCK_NONE;
  uint32_t site = mck_call_site(call);
  struct mck_event *e = mck_event_begin(call, MCK_EV_PAD, 0);
  if (!e) return MCK_NONE;
  memset(e->word, 0, sizeof e->word);
  e->site = site;
  call->event = mck_log_commit(&mck_rt.log, 1);
  mck_window_message_posted(call);
  return call->event;
}

void mck_window_file_ended(struct mck_call *call, uint32_t begun) {
  uint32_t site = mck_call_site(call);
  struct mck_event *e = begun == MCK_NONE ? NULL : mck_event_begin(call, MCK_EV_DONE, MCK_WAIT_ALL);
  if (!e) return;
  memset(e->word, 0, sizeof e->word);
  e->site = site, e->wait.count = 1, e->wait.request[0] = begun;
  mck_log_commit(&mck_rt.log, 1);
}

// A read may end before the buffer does: at the end of the file.
void mck_window_file_read(struct mck_call *call, const struct mck_args *a) {
  int count;
  struct mck_buffer b = {0};
  if (call->nfindings || a->status == MPI_STATUS_IGNORE || !a->recvbuf ||
      PMPI_Get_count(a->status, a->type, &count) != MPI_SUCCESS || count == MPI_UNDEFINED || count <= 0)
    return;
  const struct mck_type *t = mck_call_type(call, a->type);
  if (count > a->recvcount || !t || !mck_buffer_define(&b, a->recvbuf, count, t, true, call->fn)) return;
  struct mck_bytes bytes = mck_bytes_of_buffer(&b);
  mck_window_message_stored(call, &bytes);
}

MCK_HOT bool mck_window_buffer_is_outside(const void *low, const void *high) {
  for (const struct mck_window *w = mck_windows; w; w = w->next)
    if (w->attached || ((const char *)low < w->base + w->size && (const char *)high > w->base)) return false;
  return true;
}

// MPI has refused the operation, which is this event.
void mck_window_buffer_unmake(uint32_t event) {
  struct mck_event *first = mck_rt.log.first;
  if (event != MCK_NONE && !mck_log_event(&mck_rt.log, event)) return;
  while (&first[++event] < mck_rt.log.next && first[event].kind == MCK_EV_ACCESS &&
         first[event].flags & MCK_ACCESS_BUFFER)
    mck_event_unmake(&first[event]);
}
