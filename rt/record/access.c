// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores that instrumented code signals (abi.h): against the buffers that MPI is using now, decided here and at once,
// and in window memory, noted as ranges for the judge.
// The page filter (pages.h) says which addresses are of interest at all.
#include <string.h>
#include "record/level.h"
#include "record/pages.h"

uint8_t mck_pages_filter[MCK_PAGES_BYTES];
uint32_t mck_pages_marks[MCK_PAGES];
static struct mck_buffer *epochs;          // buffers in use until their window is synchronized
static size_t nactive;
// Those by page, so that an access meets few of them: what begins in page p and ends in it or the next is in
// by_page[p % BUCKETS], longer ones in long_ones. The others are found as spans (overlap.c).
enum { BUCKETS = 1024 };
static struct mck_buffer *by_page[BUCKETS], *long_ones;
static struct mck_window *windows;         // with memory of ours
static struct mck_buffer *spare;           // of RMA operations

unsigned mck_ntouched;

// Ranges touched in one window since the last flush, one slot per place and kind of access.
enum { SLOTS = 256, RANGES_MAX = 1 << 20 };
struct slot { const void *pc; uint32_t site, size, n; uint64_t offset; int64_t stride; uint8_t flags; };
struct mck_touched { struct slot slots[SLOTS]; bool is_dirty; uint32_t written; };

__attribute__((noinline)) void mck_pages_mark_range(const char *low, const char *high, int by) {
  if (low >= high) return;
  uintptr_t first = (uintptr_t)low >> MCK_PAGE_SHIFT, last = ((uintptr_t)high - 1) >> MCK_PAGE_SHIFT;
  if (last - first >= MCK_PAGES) last = first + MCK_PAGES - 1;
  for (uintptr_t p = first; p <= last; p++) mck_page_mark(p & (MCK_PAGES - 1), (unsigned)by);
}

MCK_EXPORT void __mck_attach(uint32_t abi_version, const uint8_t **pages) {
  if (abi_version != MCK_ABI_VERSION) {
    mck_base_warn("an object was compiled for another version of mpicc-check: its loads and stores are not checked; recompile it");
    return;
  }
  *pages = mck_pages_filter;
  mck_rt.is_instrumented = true;
}

// --- buffers in use ---
static void give_back(struct mck_buffer *b) {
  if (b->is_pooled) b->next = spare, spare = b;
}

MCK_HOT bool mck_buffer_define(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *t, bool is_written, uint16_t fn) {
  b->low = b->high = NULL, b->is_active = b->is_marked = b->span.is_listed = false;
  // Where PMPI_Wait may go unseen nobody knows how long.
  bool is_used = !mck_rt.is_profiler && count > 0 && address != MPI_IN_PLACE && mck_rt.is_ready;
  // A type whose exact bytes are unknown cannot say that a byte is in use.
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

MCK_HOT void mck_buffer_begin(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *t, bool is_written, uint32_t site,
                              uint16_t fn) {
  if (mck_buffer_define(b, address, count, t, is_written, fn)) mck_buffer_restart(b, site);
}

void mck_request_begin_uses(struct mck_request *r, const struct mck_call *call) {
  for (unsigned i = 0; i < call->nuses && i < 2; i++) {
    const struct mck_use *u = &call->uses[i];
    if (call->is_doubtful || !u->is_exact || r->used >> u->is_written & 1) continue;   // of which nobody knows the bytes
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

// A loop that puts the same bytes again and again (allowed: MPI only reads them) needs them once: until the epoch ends
// they differ in nothing.
static bool is_twin(const struct mck_buffer *a, const struct mck_buffer *b) {
  return a->is_pooled && b->is_pooled && a->address == b->address && a->count == b->count && a->low == b->low &&
         a->high == b->high && a->type == b->type && a->generation == b->generation && a->window == b->window &&
         a->site == b->site && a->fn == b->fn && a->is_written == b->is_written;
}

MCK_HOT void mck_buffer_restart(struct mck_buffer *b, uint32_t site) {
  enum { LOOKED_AT = 4 };
  mck_base_check_lock();
  b->site = site;
  mck_overlap_begin(b);
  b->is_active = b->span.is_listed;
  if (!mck_rt.is_instrumented || !mck_options.access) return;
  if (MCK_LIKELY(b->span.is_listed)) {
    b->is_marked = true, b->at = NULL;
    mck_pages_mark(b, 1);
    return;
  }
  struct mck_buffer **bucket = bucket_of(b), *other = b->is_pooled ? *bucket : NULL;
  for (int i = 0; MCK_UNLIKELY(other != NULL) && i < LOOKED_AT; i++, other = other->near) {
    if (!is_twin(other, b)) continue;
    give_back(b);
    return;
  }
  b->is_active = b->is_marked = true;
  nactive++;
  if (b->window) {
    b->previous = NULL, b->next = epochs;
    if (epochs) epochs->previous = b;
    epochs = b;
  }
  b->near = *bucket, b->at = bucket;
  if (b->near) b->near->at = &b->near;
  *bucket = b;
  mck_pages_mark(b, 1);
}

MCK_HOT void mck_buffer_end(struct mck_buffer *b) {
  mck_base_check_lock();
  if (!b->is_active) return;
  b->is_active = false;
  mck_spans_remove(&b->span);
  if (!b->is_marked) return;
  b->is_marked = false;
  mck_pages_mark(b, -1);
  if (MCK_LIKELY(!b->at)) return;   // found by its span, which an overwritten request has lost already (mck_request_track)
  nactive--;
  if (b->window) {
    if (b->previous) b->previous->next = b->next;
    else epochs = b->next;
    if (b->next) b->next->previous = b->previous;
  }
  *b->at = b->near;
  if (b->near) b->near->at = b->at;
}

struct mck_buffer *mck_buffer_of_rma(struct mck_window *w) {
  if (!mck_rt.is_instrumented || !mck_options.access) return NULL;
  enum { BATCH = 128 };   // many at once: small blocks of ours among the program's would pull those apart (object/plain.c)
  if (!spare) {
    struct mck_buffer *batch = calloc(BATCH, sizeof *batch);
    for (int i = 0; batch && i < BATCH; i++) batch[i].next = spare, spare = &batch[i];
  }
  struct mck_buffer *b = spare;
  if (!b) return NULL;
  spare = b->next;
  *b = (struct mck_buffer){.window = w, .is_pooled = true};
  return b;
}

void mck_window_complete(struct mck_window *w) {
  for (struct mck_buffer *b = epochs, *next; b; b = next) {
    next = b->next;
    if (b->window != w) continue;
    mck_buffer_end(b);
    give_back(b);
  }
}

static bool touches(const struct mck_buffer *b, const char *low, const char *high) {
  if (low >= b->high || high <= b->low) return false;
  if (!b->type) return true;
  const struct mck_type *t = b->type;
  if (t->generation != b->generation) return false;   // nobody knows the bytes any more
  if (t->extent <= 0) return false;   // copies on top of each other or backwards: not worth being exact, so no claim
  const struct mck_block *last = &t->blocks[t->nblocks - 1];
  int64_t end = last->offset + (int64_t)last->length, from = low - b->address, to = high - b->address;
  // Element k covers [k*extent + first.offset, k*extent + end): the elements that may meet [from, to).
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

static void report(const struct mck_buffer *b, uint32_t site, bool is_store) {
  const char *fn = mck_fn_names[b->fn];
  struct mck_finding *f = mck_local_add(is_store ? MCK_CHECK_BUFFER_MODIFIED : MCK_CHECK_BUFFER_READ, site, b->site);
  mck_finding_text(f, "%s a buffer that a pending %s %s", is_store ? "store to" : "load from", fn, b->is_written ? "will write" : "is sending from");
  mck_finding_place(f, mck_rt.rank, site, "%s by rank %d", is_store ? "store" : "load", mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, b->site, "in use since %s", fn);
  mck_finding_why(f, mck_fn_classes[b->fn] == MCK_CLASS_file ? "the access is complete only when its end function has returned (MPI-3.1 13.4.5)"
                   : b->is_pooled ? "the operation is complete only at the next synchronization of its window (MPI-3.1 11.3)"
                                  : "the operation is complete only when MPI_Wait or MPI_Test says so (MPI-3.1 3.7.2)");
  mck_local_done(f);
}

// --- window memory ---
void mck_window_watch(struct mck_window *w) {
  if (!mck_rt.is_instrumented || !mck_options.access || !w->base || !w->size || w->object.id == MCK_NONE) return;
  if (!w->touched) w->touched = calloc(1, sizeof *w->touched);
  if (!w->touched) return;
  memset(w->touched, 0, sizeof *w->touched);
  w->next = windows, windows = w;
  mck_pages_mark_range(w->base, w->base + w->size, 1);
}

void mck_window_unwatch(struct mck_window *w) {
  for (struct mck_window **p = &windows; *p; p = &(*p)->next) {
    if (*p != w) continue;
    *p = w->next;
    mck_pages_mark_range(w->base, w->base + w->size, -1);
    return;
  }
}

static void write_slot(struct mck_window *w, struct slot *s) {
  struct mck_event *e = s->n && w->touched->written < RANGES_MAX && mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1) : NULL;
  if (e) {
    e->kind = MCK_EV_ACCESS, e->flags = s->flags, e->fn = 0, e->site = s->site;
    e->access.win = w->object.id, e->access.size = s->size, e->access.offset = s->offset;
    e->access.n = s->n, e->access.stride = (int32_t)s->stride;
    mck_log_commit(&mck_rt.log, 1);
    w->touched->written++;
  }
  s->n = 0;
}

static void flush(struct mck_window *w) {
  for (int i = 0; i < SLOTS; i++) write_slot(w, &w->touched->slots[i]);
  w->touched->is_dirty = false;
}

void mck_windows_flush(void) {
  for (struct mck_window *w = windows; w; w = w->next) if (w->touched->is_dirty) flush(w);
  mck_ntouched = 0;
}

// Extends the place's range by [offset, offset+size) if that leaves it exact: adjoining, inside, or the next step of a stride.
static bool extend(struct slot *s, uint64_t offset, uint32_t size) {
  if (s->n == 1) {
    if (offset >= s->offset && offset + size <= s->offset + s->size) return true;
    if (offset == s->offset + s->size && s->size < 1u << 30) { s->size += size; return true; }
    if (offset + size == s->offset && s->size < 1u << 30) { s->offset = offset, s->size += size; return true; }
    int64_t stride = (int64_t)(offset - s->offset);
    if (size != s->size || stride <= (int64_t)size || stride > INT32_MAX) return false;
    s->stride = stride, s->n = 2;
    return true;
  }
  if (size != s->size || offset < s->offset) return false;
  uint64_t step = offset - s->offset;
  if (step % (uint64_t)s->stride) return false;
  if (step / (uint64_t)s->stride == s->n && s->n < UINT32_MAX) s->n++;
  return step / (uint64_t)s->stride < s->n;
}

static void touch(struct mck_window *w, const void *pc, const void *frame, const char *low, const char *high, uint8_t flags) {
  if (low < w->base) low = w->base;
  if (high > w->base + w->size) high = w->base + w->size;
  if (low >= high) return;
  struct slot *s = &w->touched->slots[(((uintptr_t)pc * 0x9e3779b97f4a7c15u) >> 32) % SLOTS];
  uint64_t offset = (uint64_t)(low - w->base);
  uint32_t size = high - low > 1 << 30 ? 1u << 30 : (uint32_t)(high - low);
  if (s->n && s->pc == pc && s->flags == flags && extend(s, offset, size)) return;
  write_slot(w, s);
  uint32_t site = mck_stack_site(pc, frame);
  *s = (struct slot){.pc = pc, .site = site, .size = size, .n = 1, .offset = offset, .flags = flags};
  if (!w->touched->is_dirty) w->touched->is_dirty = true, mck_ntouched++;
}

struct access { const char *low, *high; bool is_store; const void *pc, *frame; };

static bool check_span(const struct mck_span *span, void *context) {
  const struct access *a = context;
  const struct mck_buffer *b = (const struct mck_buffer *)((const char *)span - offsetof(struct mck_buffer, span));
  if (b->is_marked && touches(b, a->low, a->high)) report(b, mck_stack_site(a->pc, a->frame), a->is_store);
  return false;   // look on
}

static void check_buffers(struct mck_buffer *b, const char *low, const char *high, bool is_store, const void *pc,
                          const void *frame) {
  for (; b; b = b->near)
    if ((is_store || b->is_written) && touches(b, low, high)) report(b, mck_stack_site(pc, frame), is_store);
}

MCK_EXPORT void __mck_access(const volatile void *address, uint64_t size, uint32_t flags) {
  if (MCK_UNLIKELY(mck_depth || !mck_rt.is_ready || !size)) return;
  const char *low = (const char *)address, *high = low + size;
  bool is_store = flags & MCK_SIGNAL_STORE;
  const void *pc = __builtin_return_address(0), *frame = __builtin_frame_address(0);
  if (MCK_UNLIKELY(!mck_is_plain)) mck_level_share();
  mck_depth_set(1);   // another thread waits here until this one has left (level.c)
  mck_lock();
  struct access access = {low, high, is_store, pc, frame};
  if (mck_nspans) mck_spans_find((uintptr_t)low, (uintptr_t)high, is_store, check_span, &access);
  if (nactive) {
    check_buffers(long_ones, low, high, is_store, pc, frame);
    uintptr_t first = ((uintptr_t)low >> MCK_PAGE_SHIFT) - 1, last = ((uintptr_t)high - 1) >> MCK_PAGE_SHIFT;
    if (last - first >= BUCKETS) last = first + BUCKETS - 1;
    for (uintptr_t p = first; p <= last; p++) check_buffers(by_page[p % BUCKETS], low, high, is_store, pc, frame);
  }
  uint8_t kind = (uint8_t)((is_store ? MCK_ACCESS_STORE : 0) | (flags & MCK_SIGNAL_ATOMIC ? MCK_ACCESS_ATOMIC : 0));
  for (struct mck_window *w = windows; w; w = w->next)
    if (low < w->base + w->size && high > w->base) touch(w, pc, frame, low, high, kind);
  mck_unlock();
  mck_depth_set(0);
}
