// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces of one dynamic window, in ascending order of their addresses. Memory that is attached must not overlap
// memory that already is (MPI-3.1 11.2.4), so they are disjoint; a piece that overlaps all the same is reported and
// not added. A large piece is watched as a window of its own that writes for the real one, with all that
// touched-range.c does for irregular accesses. Accesses to small pieces are noted with the window itself, so that
// thousands of list elements need no tables. No memory of ours comes from the heap here: Open MPI (osc/rdma)
// registers attached memory by pages, of which it allows few (osc_rdma_max_attach), and blocks of ours among those of
// the program would spread those over more pages.
#include "record/rma/attached-memory.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "record/rma/window-lifetime.h"
#include "record/access/reserved-memory.h"
#include "record/access/touch-marks.h"
#include "record/access/window-watch.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

enum { LARGE = 1 << 16, LARGE_MAX = 64, FIRST_CAPACITY = 64 };
struct part {
  char *low, *high;
  struct mck_window *large; // its segment, or NULL
  uint32_t site;            // of MPI_Win_attach
};
struct mck_attached {
  size_t n, capacity;
  bool is_doubtful; // an attach was wrong: it is not known what may be detached
  struct part parts[];
};
unsigned mck_nattached;
static unsigned nlarge;

static size_t bytes_of(size_t capacity) { return sizeof(struct mck_attached) + capacity * sizeof(struct part); }

// The first piece that ends behind an address.
static size_t find_part(const struct mck_attached *t, const char *address) {
  size_t low = 0, high = t->n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (t->parts[middle].high > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

static bool grow(struct mck_window *w) {
  struct mck_attached *old = w->attached;
  if (old && old->n < old->capacity) return true;
  size_t capacity = old ? 2 * old->capacity : FIRST_CAPACITY;
  struct mck_attached *new = mck_memory_reserve(bytes_of(capacity));
  if (!new) return false;
  if (old) memcpy(new, old, bytes_of(old->n));
  new->capacity = capacity;
  w->attached = new;
  if (old) mck_memory_release(old, bytes_of(old->capacity));
  return true;
}

static void mark(const struct part *p, int by) {
  mck_filter_mark_pages((uintptr_t)p->low, (uintptr_t)p->high, by, true);
  mck_touched_share(p->low, p->high, by);
}

static void end_part(struct part *p) {
  if (p->large) mck_segment_end(p->large), nlarge--;
  else if (mck_rt.is_instrumented && mck_options.access) mark(p, -1);
  mck_nattached--;
}

void mck_attached_end(struct mck_window *w) {
  struct mck_attached *t = w->attached;
  for (size_t i = 0; t && i < t->n; i++) end_part(&t->parts[i]);
  if (t) mck_memory_release(t, bytes_of(t->capacity));
  w->attached = NULL;
}

static void add(struct mck_call *call, struct mck_window *w, char *base, uint64_t size) {
  struct part new = {.low = base, .high = base + size, .site = mck_call_site(call)};
  if (!grow(w)) return;
  struct mck_attached *t = w->attached;
  size_t at = find_part(t, base);
  if (size && at < t->n && t->parts[at].low < new.high) { // it is reported already
    t->is_doubtful = true;
    return;
  }
  if (w->touched && size >= LARGE && nlarge < LARGE_MAX) new.large = mck_segment_take(w, base, size);
  if (new.large) mck_window_watch(new.large), nlarge++;
  else if (mck_rt.is_instrumented && mck_options.access) mark(&new, 1);
  memmove(&t->parts[at + 1], &t->parts[at], (t->n - at) * sizeof new);
  t->parts[at] = new;
  t->n++;
  mck_nattached++;
  mck_marks_stop();
  mck_lifetime_begin(call, w, base, size);
}

// --- accesses ---
void mck_attached_each(const struct mck_window *w, const char *low, const char *high,
                       void (*visit)(void *context, const char *low, const char *high), void *context) {
  const struct mck_attached *t = w->attached;
  for (size_t i = t ? find_part(t, low) : 0; t && i < t->n && t->parts[i].low < high; i++) {
    const struct part *p = &t->parts[i];
    const char *from = low > p->low ? low : p->low, *to = high < p->high ? high : p->high;
    if (from < to) visit(context, from, to);
  }
}

void mck_attached_touch(const struct mck_pieces *a) {
  for (struct mck_window *w = mck_windows; w; w = w->next) {
    const struct mck_attached *t = w->attached;
    if (!t || !t->n || a->low >= t->parts[t->n - 1].high || a->high <= t->parts[0].low) continue;
    for (size_t i = find_part(t, a->low); i < t->n && t->parts[i].low < a->high; i++)
      if (!t->parts[i].large)
        mck_touched_add_part(w, a, t->parts[i].low, t->parts[i].high); // large ones are among the windows
  }
}

int mck_attached_in(const char *low, const char *high) {
  int found = 0;
  for (const struct mck_window *w = mck_nattached ? mck_windows : NULL; w; w = w->next) {
    const struct mck_attached *t = w->attached;
    for (size_t i = t ? find_part(t, low) : 0; t && i < t->n && t->parts[i].low < high; i++)
      found += !t->parts[i].large;
  }
  return found;
}

// --- calls ---
__attribute__((format(printf, 3, 4), cold)) static void say(struct mck_call *call, uint32_t also, const char *format,
                                                            ...) {
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (mck_depth > 1) return;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_ATTACH, mck_call_site(call),
                                        mck_base_hash(text, strlen(text), 6));
  mck_finding_text(f, "%s", text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (also != MCK_NONE) mck_finding_place(f, mck_rt.rank, also, "attached by");
  mck_local_done(f);
  call->is_doubtful = true; // MPI may refuse it
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
}

static struct mck_window *find(const struct mck_args *a) {
  struct mck_window *w = mck_window_find(a->win);
  return w && !w->object.is_freed && !w->object.is_adopted && w->object.id != MCK_NONE
             ? w
             : NULL; // adopted: we did not see how it was made
}

static void write_event(struct mck_call *call, const struct mck_window *w, const void *base, uint64_t size,
                        uint8_t flags) {
  uint32_t site = mck_call_site(call);
  struct mck_event *e = mck_event_begin(call, MCK_EV_ATTACH, flags);
  if (!e) return;
  e->site = site;
  e->attach.extra = 0, e->attach.win = w->object.id;
  e->attach.address = (uint64_t)(uintptr_t)base, e->attach.size = size;
  call->event = mck_log_commit(&mck_rt.log, 1);
}

// Written before the call: when it returns, other ranks may access the memory already.
void mck_win_attach_before(struct mck_call *call, struct mck_args *a) {
  if (call->nfindings) return;
  mck_lock();
  struct mck_window *w = find(a);
  if (w && w->flavor && w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
    say(call, w->object.site, "%s of memory to a window that is not dynamic: it was made by %s", mck_fn_names[call->fn],
        mck_fn_names[w->object.fn]);
  else if (w) {
    const struct mck_attached *t = w->attached;
    const char *base = a->base, *end = base + (a->size > 0 ? a->size : 0);
    size_t at = t ? find_part(t, base) : 0;
    if (t && base < end && at < t->n && t->parts[at].low < end)
      say(call, t->parts[at].site, "%s of memory that is attached to this window already", mck_fn_names[call->fn]);
    write_event(call, w, a->base, (uint64_t)a->size, 0);
  }
  mck_unlock();
}

void mck_win_attach_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (call->event == MCK_NONE) return;
  mck_lock();
  struct mck_window *w = find(a);
  if (rc != MPI_SUCCESS) mck_event_unmake(&mck_rt.log.first[call->event]);
  else if (w) add(call, w, (char *)(uintptr_t)a->base, (uint64_t)a->size);
  mck_unlock();
}

// Written before the call: when it returns, no rank may access the memory any more, and it may be used for something
// else.
void mck_win_detach_before(struct mck_call *call, struct mck_args *a) {
  if (call->nfindings) return;
  mck_lock();
  struct mck_window *w = find(a);
  struct mck_attached *t = w ? w->attached : NULL;
  size_t i = t ? find_part(t, a->base) : 0;
  while (t && i > 0 && t->parts[i - 1].low == (const char *)a->base) i--; // pieces of no bytes
  if (t && i < t->n && t->parts[i].low == (const char *)a->base) {
    struct part part = t->parts[i];
    if (!t->is_doubtful) write_event(call, w, part.low, (uint64_t)(part.high - part.low), MCK_ATTACH_DETACHED);
    mck_lifetime_check_end(call, w, part.low);
    mck_lifetime_end(w, part.low);
    end_part(&part);
    memmove(&t->parts[i], &t->parts[i + 1], (--t->n - i) * sizeof *t->parts);
  } else if (w && !(t && t->is_doubtful) && !mck_rt.is_profiler)
    say(call, MCK_NONE, "%s of memory that no MPI_Win_attach of this window began at", mck_fn_names[call->fn]);
  mck_unlock();
}
void mck_win_detach_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  if (rc == MPI_SUCCESS || call->event == MCK_NONE) return;
  mck_lock();
  mck_event_unmake(&mck_rt.log.first[call->event]);
  mck_unlock();
}
