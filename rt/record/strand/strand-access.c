// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of this era (strand-buffer.h). Accesses of one place and moment that adjoin are one; a later one to the
// same bytes takes the place of an earlier one of the same strand, since what is ordered behind it is ordered behind
// both. They are found by page. Where there is no room, a finding is missed.
#include <string.h>
#include "record/access/access-sample.h"
#include "record/buffer/byte-overlap.h"
#include "record/error/local-finding.h"
#include "record/strand/clean-page.h"
#include "record/strand/strand-buffer.h"
#include "record/strand/strand-traffic.h"
#include "abi.h"

enum { KEPT = 8192, LINKS = 4 * KEPT, HEADS = MCK_STRAND_PAGES, WIDE = 64, LATEST = 1024, NONE = UINT32_MAX };
static struct kept {
  struct mck_strand_call call;
  struct mck_pieces pieces; // count 0: over
} kept[KEPT];
static struct link {
  uint32_t kept, next;
} links[LINKS];
static uint32_t heads[HEADS], wide; // by page, those of more than WIDE pages; number + 1 of a link
static uint32_t latest[LATEST];     // by place and thread; number + 1 of what is kept
static uint32_t nkept, nlinks;

void mck_strand_accesses_forget(void) {
  if (!nkept) return;
  nkept = nlinks = wide = 0;
  memset(heads, 0, sizeof heads), memset(latest, 0, sizeof latest);
}

static bool link_to(uint32_t *head, uint32_t number) {
  if (nlinks == LINKS) return false;
  links[nlinks] = (struct link){number, *head};
  *head = ++nlinks;
  return true;
}

// The pages of [low, high) lead to what is kept under this number.
static void link_pages(uint32_t number, uintptr_t low, uintptr_t high) {
  uintptr_t first = low >> 12, last = (high - 1) >> 12;
  mck_strand_pages_add(low, high);
  if (last - first >= WIDE) link_to(&wide, number);
  else
    for (uintptr_t p = first; p <= last && link_to(&heads[p % HEADS], number); p++) continue;
}

static bool is_same_moment(const struct mck_strand_call *a, const struct mck_strand_call *b) {
  return a->moment.strand == b->moment.strand && a->moment.time == b->moment.time && a->held.n == b->held.n &&
         !memcmp(a->held.held, b->held.held, a->held.n * sizeof *a->held.held);
}

// In sections of the same locks, the same one or another: what one excludes, the other does.
static bool is_same_locks(const struct mck_held *a, const struct mck_held *b) {
  if (a->n != b->n || a->n > MCK_HELD_MAX) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->held[i].lock != b->held[i].lock) return false;
  return true;
}

// Can the access be told by what is kept already? A thread that polls in sections of a lock is kept once.
static bool join(struct kept *k, const struct mck_strand_call *now, const struct mck_pieces *a) {
  struct mck_pieces *p = &k->pieces;
  if (!p->count || k->call.pc != now->pc || p->flags != a->flags || k->call.moment.strand != now->moment.strand)
    return false;
  if (p->low == a->low && p->high == a->high && p->stride == a->stride && p->count == a->count) {
    bool is_told = !now->held.n || is_same_locks(&k->call.held, &now->held); // fewer locks exclude fewer calls
    if (is_told) k->call = *now;
    return is_told;
  }
  if (!is_same_moment(&k->call, now) || p->count != 1 || a->count != 1) return false;
  if (a->low < p->low || a->low > p->high) return false;
  if (a->high <= p->high) return true;
  uintptr_t page = ((uintptr_t)p->high - 1) >> 12;
  if (((uintptr_t)a->high - 1) >> 12 > page) link_pages((uint32_t)(k - kept), (page + 1) << 12, (uintptr_t)a->high);
  p->high = a->high, p->size = p->stride = (uint64_t)(p->high - p->low);
  return true;
}

// true: it is told by what is kept already.
static bool keep(const struct mck_strand_call *now, const struct mck_pieces *a) {
  uint64_t words[] = {(uintptr_t)now->pc, now->thread};
  uint32_t *last = &latest[mck_base_hash(words, sizeof words, 3) % LATEST];
  if (*last && join(&kept[*last - 1], now, a)) return true;
  if (nkept == KEPT) return false;
  struct kept *k = &kept[nkept++];
  k->call = *now, k->pieces = *a, k->pieces.map = NULL;
  *last = nkept;
  link_pages(nkept - 1, (uintptr_t)a->low, (uintptr_t)a->high);
  atomic_store_explicit(&mck_strand_has_memory, true, memory_order_relaxed);
  return false;
}

static uint32_t thread_number(void) {
  static __thread uint32_t number __attribute__((tls_model("initial-exec")));
  static uint32_t threads;
  return number ? number : (number = ++threads);
}
uint32_t mck_strand_thread(void) { return thread_number(); }

// Most accesses while no sample is taken are to windows, and not to buffers of this era.
void mck_strand_access(const struct mck_pieces *a) {
  mck_strand_era_look();
  bool is_near = mck_strand_has_memory && mck_strand_pages_have((uintptr_t)a->low, (uintptr_t)a->high);
  if (!is_near && !mck_access_sample_is_on) return;
  if (!mck_thread_is_parallel || !mck_strand_memory_is_known()) {
    mck_access_sample_spend();
    return;
  }
  struct mck_strand_call now = {.moment = mck_thread_now(),
                                .begin = mck_traffic_tick(),
                                .pc = a->pc,
                                .site = MCK_NONE,
                                .what = a->flags & MCK_SIGNAL_STORE ? "store" : "load",
                                .thread = thread_number()};
  mck_thread_held(&now.held);
  if (is_near) mck_strand_uses_check(a, &now);
  if (is_near && !mck_access_sample_is_on) mck_clean_page_look((uintptr_t)a->low, (uint64_t)(a->high - a->low));
  // A thread that waits looks at its flag again and again: its time is lost anyway.
  enum { POLLS = 64 };
  static uint32_t polls;
  bool is_again = keep(&now, a), is_polling = a->flags & (MCK_SIGNAL_ATOMIC | MCK_SIGNAL_VOLATILE) || now.held.n;
  if (!is_again || !is_polling || ++polls % POLLS == 0) mck_access_sample_spend();
}

// --- looking ---
typedef void visitor(struct kept *k, void *context);
static void visit_list(uint32_t head, const char *low, const char *high, visitor *visit, void *context) {
  for (; head; head = links[head - 1].next) {
    struct kept *k = &kept[links[head - 1].kept];
    if (k->pieces.count && k->pieces.low < high && k->pieces.high > low) visit(k, context);
  }
}
static void visit(uintptr_t low, uintptr_t high, visitor *visit_one, void *context) {
  uintptr_t first = low >> 12, last = (high - 1) >> 12;
  if (!nkept) return;
  if (last - first >= WIDE) {
    for (struct kept *k = kept; k < kept + nkept; k++)
      if (k->pieces.count && (uintptr_t)k->pieces.low < high && (uintptr_t)k->pieces.high > low) visit_one(k, context);
    return;
  }
  for (uintptr_t p = first; p <= last; p++)
    visit_list(heads[p % HEADS], (const char *)low, (const char *)high, visit_one, context);
  visit_list(wide, (const char *)low, (const char *)high, visit_one, context);
}

struct operation {
  const struct mck_buffer *buffer;
  const struct mck_strand_call *post;
  struct mck_strand_excluded *excluded;
};
static void check(struct kept *k, void *context) {
  const struct operation *o = context;
  if (!(k->pieces.flags & MCK_SIGNAL_STORE) && !o->buffer->is_written) return;
  enum mck_strand_order order = mck_strand_order(&k->call, o->post);
  if (order == MCK_STRAND_ORDERED) return;
  struct mck_bytes bytes = mck_bytes_of_buffer(o->buffer);
  if (!mck_bytes_touch_pieces(&bytes, &k->pieces)) return;
  if (order == MCK_STRAND_UNORDERED) mck_strand_buffer_report(&k->call, &k->pieces, o->buffer, o->post);
  else if (o->excluded->n < MCK_STRAND_EXCLUDED_MAX) {
    uint32_t i = o->excluded->n++;
    o->excluded->accesses[i].number = (uint32_t)(k - kept), o->excluded->accesses[i].moment = k->call.moment;
  }
}
void mck_strand_accesses_check(const struct mck_buffer *b, const struct mck_strand_call *post,
                               struct mck_strand_excluded *excluded) {
  struct operation o = {b, post, excluded};
  visit((uintptr_t)b->low, (uintptr_t)b->high, check, &o);
}

void mck_strand_excluded_check(const struct mck_strand_use *u) {
  for (uint32_t i = 0; i < u->excluded.n; i++) {
    uint32_t number = u->excluded.accesses[i].number;
    struct mck_moment then = u->excluded.accesses[i].moment;
    const struct kept *k = &kept[number];
    // Not one that took its place since: that came behind the post, and was compared when it came.
    bool is_kept = number < nkept && k->pieces.count;
    bool is_it = is_kept && k->call.moment.strand == then.strand && k->call.moment.time == then.time;
    if (is_it && !mck_held_excludes(&k->call.held, &u->end.held))
      mck_strand_buffer_report(&k->call, &k->pieces, &u->buffer, &u->post);
  }
}

static void end(struct kept *k, void *context) { (void)context, k->pieces.count = 0; }

// Memory that is freed again and again must not walk through all that was kept of its pages.
static void unlink_ended(uint32_t *head) {
  while (*head)
    if (kept[links[*head - 1].kept].pieces.count) head = &links[*head - 1].next;
    else *head = links[*head - 1].next;
}
void mck_strand_accesses_over(uintptr_t low, uintptr_t high) {
  visit(low, high, end, NULL);
  uintptr_t first = low >> 12, last = (high - 1) >> 12;
  for (uintptr_t p = first; nkept && p <= last && p - first < HEADS; p++) unlink_ended(&heads[p % HEADS]);
}
