// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers of operations (strand-buffer.h). Of an operation under way only its post is kept here, by its buffer,
// which signalled accesses find by themselves. A buffer that is used again takes its own place: an access that is not
// ordered behind an earlier completion is not ordered behind a later one.
#include "base/hash-table.h"
#include "base/span-index.h"
#include "record/buffer/buffer-bytes.h"
#include "record/buffer/byte-overlap.h"
#include "record/call/call-begin.h"
#include "record/call/stack.h"
#include "record/error/error-handler.h"
#include "record/strand/clean-page.h"
#include "record/strand/strand-buffer.h"
#include "record/strand/strand-traffic.h"
#include "abi.h"

enum { POSTS = 1024, PAST = MCK_SPANS, BLOCKING = 128 };
static struct post {
  const struct mck_buffer *buffer;
  uint32_t era; // of another one: over
  struct mck_strand_call call;
  struct mck_strand_excluded excluded;
} posts[POSTS];
static uint32_t posts_era = 1;
static struct mck_strand_use past[PAST], blocking[BLOCKING]; // buffer.low NULL: free
static struct mck_span_index spans;                          // of those past, by their place
static uint32_t nblocking;

static void mark(struct mck_strand_use *u, int by) {
  mck_filter_mark((uintptr_t)u->buffer.low, (uintptr_t)u->buffer.high, by, u->buffer.is_written);
  if (by < 0) u->buffer.low = NULL;
}

static void remove_past(uint32_t i) {
  mark(&past[i], -1);
  mck_span_remove(&spans, i);
}

void mck_strand_uses_forget(void) {
  for (uint32_t i = 0; spans.size && i < PAST; i++)
    if (mck_span_is_used(&spans, i)) remove_past(i);
  for (; nblocking; nblocking--)
    if (blocking[nblocking - 1].is_marked) mark(&blocking[nblocking - 1], -1);
  posts_era++;
}

void mck_strand_uses_over(uintptr_t low, uintptr_t high) {
  uint16_t found[MCK_SPANS];
  for (uint32_t n = mck_span_find(&spans, low, high, found); n > 0; n--) remove_past(found[n - 1]);
}

static struct post *post_of(const struct mck_buffer *b) { return &posts[((uintptr_t)b >> 6) * 0x9e3779b1u % POSTS]; }
static bool is_post_of(const struct post *p, const struct mck_buffer *b) {
  return p->buffer == b && p->era == posts_era;
}

// The calling strand's call, which is the program's own. In place: a call has many bytes.
static inline void set_call(struct mck_strand_call *now, const struct mck_buffer *b, const char *what) {
  now->moment = mck_thread_now(), now->begin = mck_traffic_tick();
  now->pc = mck_outer.pc, now->site = b->site, now->thread = mck_strand_thread();
  now->what = what, now->fn = b->fn;
  mck_thread_held(&now->held);
}

void mck_strand_buffer_begin(const struct mck_buffer *b) {
  mck_strand_era_look();
  mck_clean_page_used((uintptr_t)b->low, (uintptr_t)b->high);
  if (!mck_strand_memory_is_known() || b->is_target) return;
  struct post *p = post_of(b);
  p->buffer = b, p->era = posts_era, p->excluded.n = 0;
  set_call(&p->call, b, NULL);
  mck_strand_pages_add((uintptr_t)b->low, (uintptr_t)b->high);
  atomic_store_explicit(&mck_strand_has_memory, true, memory_order_relaxed);
  mck_strand_accesses_check(b, &p->call, &p->excluded);
}

// The sections that have both the post and the completion. What is outside of them at any time excludes nobody.
static void set_cover(struct mck_strand_use *u) {
  struct mck_held both = {0};
  for (uint32_t i = 0; i < u->post.held.n && i < MCK_HELD_MAX; i++)
    for (uint32_t k = 0; k < u->end.held.n && k < MCK_HELD_MAX; k++)
      if (u->post.held.held[i].lock == u->end.held.held[k].lock &&
          u->post.held.held[i].section == u->end.held.held[k].section)
        both.held[both.n++] = u->post.held.held[i];
  bool is_unsure = u->post.held.n > MCK_HELD_MAX && u->end.held.n > MCK_HELD_MAX;
  if (is_unsure) both.n = MCK_HELD_MAX + 1;
  u->end.held = both;
}

// Where a use of these bytes is, or goes: a free place, or that of another one.
static uint32_t place_of(uintptr_t low, uintptr_t high, bool is_written) {
  uint32_t first = (uint32_t)mck_table_mix(low ^ is_written, high) % PAST, unused = PAST;
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t i = first ^ k;
    if (!mck_span_is_used(&spans, i)) unused = unused == PAST ? i : unused;
    else if (spans.spans[i].low == low && spans.spans[i].high == high && past[i].buffer.is_written == is_written)
      return i;
  }
  return unused == PAST ? first : unused;
}

// It is complete; the calling strand knows. post: NULL: not known, but before all of this era.
static struct mck_strand_use *add_past(const struct mck_buffer *b, const struct mck_strand_call *post,
                                       const struct mck_strand_excluded *excluded) {
  uintptr_t low = (uintptr_t)b->low, high = (uintptr_t)b->high;
  uint32_t i = place_of(low, high, b->is_written);
  struct mck_strand_use *u = &past[i];
  // Used again by an operation of the same kind: its pages stay marked.
  bool is_used = mck_span_is_used(&spans, i);
  bool is_again = is_used && spans.spans[i].low == low && spans.spans[i].high == high &&
                  u->buffer.is_written == b->is_written;
  if (is_used && !is_again) remove_past(i);
  u->buffer = *b, u->buffer.window = NULL;
  set_call(&u->end, b, "completion");
  u->post = post ? *post : u->end, u->is_early = !post;
  if (!post) u->post.what = NULL;
  u->excluded.n = 0;
  if (excluded && excluded->n) u->excluded = *excluded;
  set_cover(u);
  u->call = NULL, u->is_marked = false;
  if (!is_again) {
    mark(u, 1);
    mck_span_add(&spans, i, low, high);
  }
  mck_strand_pages_add(low, high);
  mck_clean_page_used(low, high);
  atomic_store_explicit(&mck_strand_has_memory, true, memory_order_relaxed);
  return u;
}

void mck_strand_buffer_end(const struct mck_buffer *b) {
  mck_strand_era_look();
  struct post *p = post_of(b);
  bool is_early = !is_post_of(p, b);
  if (!is_early) p->buffer = NULL;
  if (!mck_thread_is_parallel || !mck_strand_memory_is_known() || b->is_target || !b->is_marked) return;
  // By a synchronization of the window in another strand that is not ordered behind the operation: it may also come
  // before it, and that of its own strand is still to come.
  if (!is_early && b->window && p->call.moment.strand != mck_thread_now().strand && !mck_thread_has(p->call.moment))
    return;
  const struct mck_strand_use *u = is_early ? add_past(b, NULL, NULL) : add_past(b, &p->call, &p->excluded);
  // A lock around the post excluded an access before it. If the lock was given back before the completion, it does not.
  if (u->post.moment.strand == u->end.moment.strand) mck_strand_excluded_check(u);
}

// --- blocking calls ---
static bool is_blocking(const struct mck_use *u) { return u->low && u->is_exact && !u->is_kept; }

static void end_call(struct mck_strand_use *u) {
  if (!u->is_marked) mck_strand_accesses_check(&u->buffer, &u->post, &u->excluded);
  add_past(&u->buffer, &u->post, &u->excluded);
}

// Takes the buffers of the call out. NULL: they are those of an earlier call that was left by a jump.
static void take_calls(const struct mck_call *call, void (*end)(struct mck_strand_use *)) {
  for (uint32_t i = 0; i < nblocking;) {
    struct mck_strand_use *u = &blocking[i];
    if (u->call != call) {
      i++;
      continue;
    }
    if (end) end(u); // first: then most of its pages stay marked
    if (u->is_marked) mark(u, -1);
    if (i != --nblocking) *u = blocking[nblocking];
  }
}

void mck_strand_call_uses(struct mck_call *call, const struct mck_strand_call *now) {
  if (!mck_rt.is_instrumented || !mck_options.access || mck_rt.is_profiler) return;
  if (!mck_strand_memory_is_known()) return;
  mck_strand_era_look();
  take_calls(call, NULL);
  for (unsigned i = 0; i < call->nuses && nblocking < BLOCKING; i++) {
    const struct mck_use *from = &call->uses[i];
    if (!is_blocking(from)) continue;
    call->is_using = true;
    struct mck_strand_use *u = &blocking[nblocking++];
    *u = (struct mck_strand_use){.post = *now, .call = call};
    struct mck_buffer *b = &u->buffer;
    b->low = from->low, b->high = from->high, b->type = from->type, b->generation = from->generation;
    b->address = from->address, b->count = from->count, b->fn = call->fn, b->is_written = from->is_written;
    b->site = now->site;
    // An error handler may leave the call by a jump: it would seem to use its buffers for ever. Then accesses are
    // compared when it has returned.
    u->is_marked = !mck_handler_is_any();
    if (u->is_marked) mark(u, 1);
    mck_clean_page_used((uintptr_t)b->low, (uintptr_t)b->high);
    mck_strand_pages_add((uintptr_t)b->low, (uintptr_t)b->high);
    mck_strand_accesses_check(b, &u->post, &u->excluded);
    atomic_store_explicit(&mck_strand_has_memory, true, memory_order_relaxed);
  }
}

void mck_strand_call_used(const struct mck_call *call) {
  mck_strand_era_look();
  take_calls(call, mck_thread_is_parallel && mck_strand_memory_is_known() ? end_call : NULL);
}

// --- accesses ---
static bool is_hit(const struct mck_strand_use *u, const struct mck_pieces *a) {
  const struct mck_buffer *b = &u->buffer;
  if (!b->low || b->low >= a->high || b->high <= a->low) return false;
  if (!(a->flags & MCK_SIGNAL_STORE) && !b->is_written) return false;
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  return mck_bytes_touch_pieces(&bytes, a);
}

static void check_past(struct mck_strand_use *u, const struct mck_pieces *a, const struct mck_strand_call *now) {
  if (u->end.moment.strand == now->moment.strand) return; // its own strand has completed it
  if (!is_hit(u, a) || mck_strand_order(&u->end, now) != MCK_STRAND_UNORDERED) return;
  if (u->is_early || u->post.moment.strand == now->moment.strand || mck_thread_has(u->post.moment))
    mck_signal_report(&u->buffer, mck_stack_site(a->pc, a->frame), a); // it may come while that is under way
  else mck_strand_buffer_report(now, a, &u->buffer, &u->post);
}

void mck_strand_uses_check(const struct mck_pieces *a, const struct mck_strand_call *now) {
  uint16_t found[MCK_SPANS];
  uint32_t n = mck_span_find(&spans, (uintptr_t)a->low, (uintptr_t)a->high, found);
  for (uint32_t k = 0; k < n; k++) check_past(&past[found[k]], a, now);
  for (uint32_t i = 0; i < nblocking; i++) {
    struct mck_strand_use *u = &blocking[i];
    if (!u->is_marked || u->post.moment.strand == now->moment.strand || !is_hit(u, a)) continue;
    if (!mck_held_excludes(&u->post.held, &now->held)) mck_strand_buffer_report(now, a, &u->buffer, &u->post);
  }
}

static bool meets(const struct mck_strand_use *u, uintptr_t low, uintptr_t high) {
  return (uintptr_t)u->buffer.low < high && (uintptr_t)u->buffer.high > low;
}
bool mck_strand_uses_are_before(uintptr_t low, uintptr_t high) {
  for (uint32_t i = 0; i < nblocking; i++)
    if (meets(&blocking[i], low, high)) return false;
  uint16_t found[MCK_SPANS];
  uint32_t n = mck_span_find(&spans, low, high, found), k = 0;
  while (k < n && mck_thread_has(past[found[k]].end.moment)) k++;
  return k == n;
}

bool mck_strand_buffer_hit(const struct mck_buffer *b, const struct mck_pieces *a) {
  mck_strand_era_look();
  const struct post *p = post_of(b);
  if (!is_post_of(p, b) || !mck_strand_memory_is_known()) return false;
  struct mck_strand_call now = {.moment = mck_thread_now(),
                                .begin = mck_traffic_tick(),
                                .pc = a->pc,
                                .what = a->flags & MCK_SIGNAL_STORE ? "store" : "load",
                                .thread = mck_strand_thread()};
  if (now.moment.strand == p->call.moment.strand || mck_thread_has(p->call.moment)) return false;
  mck_strand_buffer_report(&now, a, b, &p->call);
  return true;
}
