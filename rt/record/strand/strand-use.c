// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// buffer.overlap and rma.race-local by order: operations of two strands use the same bytes, one of them writes, and
// neither is over before the other begins in every run. So it does not matter whether they were at the same time in
// this run, nor when a blocking call returned: what its strand tells others comes behind it (and if an error handler
// leaves it by a jump, nothing has to be taken back). Operations that are pending when the second one comes are the
// business of buffer/buffer-overlap.c.
//
// A strand is told of an end by threads or by messages. If the first one only reads, an answer to what it sends says
// enough, since the data has left the buffer then; nothing but its own strand can say that something has been written.
// Calls of one thread are never at the same time, whatever tasks they belong to: they may share a buffer of the thread.
#include <stdio.h>
#include "base/hash-table.h"
#include "base/span-index.h"
#include "record/buffer/buffer-map.h"
#include "record/call/call-object.h"
#include "record/error/local-finding.h"
#include "record/strand/lasting-memory.h"
#include "record/strand/strand-checks.h"
#include "record/strand/strand-finding.h"
#include "record/strand/strand-traffic.h"
#include "record/buffer/byte-overlap.h"
#include "standard/epoch-call.h"

enum { USES = MCK_SPANS, REQUESTS = 1024, TOLD = 256, HINTS = 4096 }; // the last ones are kept
struct operation {
  struct mck_use use;
  uintptr_t block;                   // of the heap; 0: other memory
  const void *thread;                // the thread that made the call
  struct mck_strand_call begin, end; // end: what completed it; of a blocking call the call itself
  bool is_over;
  bool is_alone;                   // no other one that is listed uses any of its bytes
  const struct mck_window *window; // RMA: a synchronization for target completes it
  int target;
};
static struct operation operations[USES];
static uint32_t noperations;        // the numbers of operations begin at 1
static struct mck_span_index spans; // by number % USES
static uint16_t hints[HINTS];       // 1 + where an operation probably is
static struct started {
  const struct mck_request *request;
  uint32_t numbers[2];
} started[REQUESTS];
static __thread uint32_t mine[2] __attribute__((tls_model("initial-exec"))); // of the call that is being made
static uint32_t era;

static struct operation *operation_of(uint32_t number) {
  return number && noperations - number < USES ? &operations[number % USES] : NULL;
}
static uint32_t oldest(void) { return noperations < USES ? 1 : noperations - USES + 1; }
static uint32_t number_of(uint32_t slot) { return noperations - (noperations - slot) % USES; } // of its last operation

static bool is_used(uintptr_t block) {
  for (uint32_t i = 0; i < USES; i++)
    if (operations[i].block == block && mck_span_is_used(&spans, i)) return true;
  return false;
}

static void forget(void) {
  if (!mck_strand_era_is_over(&era)) return;
  if (noperations) mck_lasting_forget();
  for (uint32_t i = 0; noperations && i < REQUESTS; i++) started[i].request = NULL;
  mck_span_clear(&spans);
  noperations = 0;
}

static struct started *started_of(const struct mck_request *r) {
  return &started[((uint64_t)(uintptr_t)r >> 6) * 0x9e3779b97f4a7c15u >> 54];
}

// --- pairs of places that were told, by this file or by buffer-overlap.c ---
static struct told {
  uint32_t low, high;
  enum mck_strand_teller teller;
} told[TOLD];
static uint32_t ntold;

bool mck_strand_use_is_told(uint32_t site, uint32_t other, enum mck_strand_teller teller) {
  uint32_t low = site < other ? site : other, high = site < other ? other : site;
  for (uint32_t i = 0; i < ntold && i < TOLD; i++)
    if (told[i].low == low && told[i].high == high) return told[i].teller != teller;
  told[ntold++ % TOLD] = (struct told){low, high, teller};
  return false;
}

static const char *verb(const struct mck_use *u) { return u->is_written ? "writes" : "reads"; }

static void report(const struct operation *o, const struct mck_use *u, const struct mck_strand_call *now) {
  const struct mck_strand_call *first, *second;
  bool is_rma = mck_std(o->begin.fn)->family == MCK_STD_FAMILY_RMA || mck_std(now->fn)->family == MCK_STD_FAMILY_RMA;
  if (mck_strand_use_is_told(o->begin.site, now->site, MCK_STRAND_BY_ORDER)) return;
  struct mck_finding *f = mck_strand_finding(is_rma ? MCK_CHECK_RMA_RACE_LOCAL : MCK_CHECK_BUFFER_OVERLAP, &o->begin,
                                             now, &first, &second);
  if (!f) return;
  const struct mck_use *one = first == now ? u : &o->use, *two = first == now ? &o->use : u;
  if (one->is_written && two->is_written)
    mck_finding_text(f, "%s and %s of two threads write the same bytes, and nothing orders them",
                     mck_fn_names[first->fn], mck_fn_names[second->fn]);
  else
    mck_finding_text(f, "%s %s and %s %s the same bytes in two threads, and nothing orders them",
                     mck_fn_names[first->fn], verb(one), mck_fn_names[second->fn], verb(two));
  mck_finding_why(f, "a buffer belongs to its operation until that is complete (MPI-3.1 3.4, 3.7.2, 11.3); in this run "
                     "the two need not have been at the same time");
  mck_finding_help(f, "let one thread wait until the other one's operation is complete, or give each a buffer of its "
                      "own");
  struct mck_bytes x = mck_bytes_of_use(one), y = mck_bytes_of_use(two);
  char memory[80];
  snprintf(memory, sizeof memory, "buffer of %s", mck_fn_names[first->fn]);
  mck_buffer_map_bytes(f, memory, one->address ? one->address : one->low, (struct mck_map_side){.bytes = &x},
                       (struct mck_map_side){.bytes = &y});
  mck_local_done(f);
}

static bool is_apart(const struct operation *o, const struct mck_strand_call *now) {
  if (o->thread == &mck_depth || o->end.moment.strand == now->moment.strand || mck_thread_has(o->end.moment))
    return true;
  if (!o->use.is_written && mck_traffic_may_order(&o->begin, now)) return true;
  if (mck_traffic_may_follow(&o->end, now)) return true;
  struct mck_held both = mck_held_common(&o->begin.held, &o->end.held);
  return mck_held_excludes(&both, &now->held);
}

static void check(const struct mck_use *u, const struct mck_strand_call *now, const uint16_t *found, uint32_t n) {
  struct mck_bytes bytes = mck_bytes_of_use(u);
  for (uint32_t i = 0; i < n; i++) {
    const struct operation *o = &operations[found[i]];
    if (!(o->use.is_written || u->is_written)) continue;
    if (!o->is_over || !mck_lasting_is_live(o->block) || is_apart(o, now)) continue;
    struct mck_bytes other = mck_bytes_of_use(&o->use);
    if (mck_bytes_overlap(&bytes, &other)) report(o, u, now);
  }
}

static void drop_block(uintptr_t block) {
  for (uint32_t i = 0; i < USES; i++)
    if (operations[i].block == block) mck_span_remove(&spans, i);
}

// What is unordered with the earlier one of the same strand, place, bytes and locks is so with this one, too.
static bool is_repeated(const struct operation *o, const struct mck_use *u, const struct mck_strand_call *now) {
  return o->is_over && o->begin.moment.strand == now->moment.strand && o->begin.pc == now->pc && o->use.low == u->low &&
         o->use.high == u->high && o->use.is_written == u->is_written && o->use.type == u->type &&
         o->begin.held.n == now->held.n && (!now->held.n || o->begin.held.held[0].lock == now->held.held[0].lock);
}

static uint16_t *hint_of(const struct mck_use *u, const struct mck_strand_call *now) {
  uint64_t h = mck_table_mix((uintptr_t)u->low, (uintptr_t)now->pc ^ (uint64_t)now->moment.strand << 48);
  return &hints[h % HINTS];
}

// The strand does once more what it did, in memory that is still the same, and nobody else uses these bytes: there
// is nothing to compare with. Only what another strand has completed has to be looked at: an untied task may have begun
// it on another thread.
static bool is_alone(uint32_t slot, const struct mck_use *u, const struct mck_strand_call *now) {
  const struct operation *o = &operations[slot];
  return mck_span_is_used(&spans, slot) && o->is_alone && is_repeated(o, u, now) && mck_lasting_is_live(o->block) &&
         o->end.moment.strand == now->moment.strand;
}

// Compares it with those that are listed. The slot that it gets.
static uint32_t find_slot(const struct mck_use *u, const struct mck_strand_call *now, bool *is_only) {
  uint16_t found[MCK_SPANS];
  uint32_t n = mck_span_find(&spans, (uintptr_t)u->low, (uintptr_t)u->high, found), slot = USES;
  check(u, now, found, n);
  for (uint32_t i = 0; i < n && slot == USES; i++)
    if (is_repeated(&operations[found[i]], u, now)) slot = found[i];
  *is_only = n == (slot < USES); // none, or the one that it replaces
  for (uint32_t i = 0; i < n && !*is_only; i++) operations[found[i]].is_alone = false;
  if (slot < USES) return slot;
  slot = ++noperations % USES;
  mck_span_remove(&spans, slot);
  mck_span_add(&spans, slot, (uintptr_t)u->low, (uintptr_t)u->high);
  return slot;
}

static struct operation *add(const struct mck_use *u, const struct mck_strand_call *now) {
  uintptr_t block;
  bool is_new = false, is_only = true;
  if (!u->is_exact || u->low >= u->high) return NULL;
  uint16_t *hint = hint_of(u, now);
  uint32_t slot = *hint ? *hint - 1u : 0;
  if (is_alone(slot, u, now)) block = operations[slot].block;
  else {
    if (!mck_lasting_find(u->low, u->high, &block)) return NULL;
    if (block && !mck_lasting_watch(block, is_used, &is_new)) return NULL;
    if (is_new) drop_block(block);
    slot = find_slot(u, now, &is_only);
    *hint = (uint16_t)(slot + 1);
  }
  struct operation *o = &operations[slot];
  uint32_t number = number_of(slot);
  *o = (struct operation){
      .use = *u, .block = block, .thread = &mck_depth, .begin = *now, .end = *now, .is_alone = is_only};
  if (!mine[0]) mine[0] = number;
  else mine[1] = number;
  return o;
}

// --- calls ---
static void end(uint32_t number, const struct mck_strand_call *now) {
  struct operation *o = operation_of(number);
  if (o) o->is_over = true, o->end = *now;
}

// The last call that names a request is the one that completes it; it may find that it is not complete yet.
static void end_request(const struct mck_request *r, const struct mck_strand_call *now) {
  struct started *s = started_of(r);
  if (!r || s->request != r) return;
  end(s->numbers[0], now), end(s->numbers[1], now);
}

void mck_strand_use_posted(const struct mck_request *r) {
  if (r && mine[0]) *started_of(r) = (struct started){r, {mine[0], mine[1]}};
}

static void end_window(const struct mck_window *w, int target, const struct mck_strand_call *now) {
  for (uint32_t i = oldest(); w && i <= noperations; i++) {
    struct operation *o = &operations[i % USES];
    if (o->window != w || o->is_over || (target >= 0 && o->target != target)) continue;
    // A strand that does not come behind the operation may synchronize before it as well.
    bool is_behind = o->begin.moment.strand == now->moment.strand || mck_thread_has(o->begin.moment);
    if (is_behind) o->is_over = true, o->end = *now;
  }
}

// A persistent operation begins when it is started (MPI-3.1 3.9).
static void start(const struct mck_request *r, const struct mck_strand_call *now) {
  mine[0] = mine[1] = 0;
  for (unsigned i = 0; r && r->is_persistent && i < 2; i++) {
    const struct mck_buffer *b = &r->buffers[i];
    if (!(r->used >> i & 1)) continue;
    struct mck_use u = {.low = b->low,
                        .high = b->high,
                        .address = b->address,
                        .count = b->count,
                        .type = b->type,
                        .generation = b->generation,
                        .is_written = b->is_written,
                        .is_exact = true};
    add(&u, now);
  }
  mck_strand_use_posted(r);
}

// Calls that name requests. false: it is another call. (Of a there is only what the function has: call-args.h.)
static bool take_requests(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now) {
  bool is_start = false, is_list = true;
  switch (mck_fn_classes[call->fn]) {
  case MCK_CLASS_start: is_start = true; // fall through
  case MCK_CLASS_wait:
  case MCK_CLASS_test: is_list = false; break;
  case MCK_CLASS_startall: is_start = true; // fall through
  case MCK_CLASS_waitany:
  case MCK_CLASS_waitall:
  case MCK_CLASS_waitsome:
  case MCK_CLASS_testany:
  case MCK_CLASS_testall:
  case MCK_CLASS_testsome: break;
  default: return false;
  }
  const MPI_Request *requests = is_list ? a->requests : a->request;
  int n = is_list ? a->incount : 1;
  for (int i = 0; requests && !call->nfindings && i < n; i++) {
    const struct mck_request *r = mck_request_find(requests[i], mck_call_variable(call, requests, i));
    if (is_start) start(r, now);
    else end_request(r, now);
  }
  return true;
}

static bool take_synchronization(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now) {
  bool is_free = mck_fn_classes[call->fn] == MCK_CLASS_win_free;
  if (!is_free && !mck_std_does(call->fn, MCK_STD_EPOCH_COMPLETES_ORIGIN)) return false;
  const struct mck_window *w = is_free ? a->newwin ? mck_window_find(*a->newwin) : NULL : mck_window_find(a->win);
  end_window(w, mck_std(call->fn)->scope == MCK_STD_SCOPE_ONE ? a->target : -1, now);
  return true;
}

// Its buffers are used from this call on.
static bool is_operation(uint16_t fn) {
  switch (mck_fn_classes[fn]) {
  case MCK_CLASS_send_init:
  case MCK_CLASS_recv_init:
  case MCK_CLASS_coll_init:
  case MCK_CLASS_attach: return false;
  default: break;
  }
  switch (mck_std(fn)->family) {
  case MCK_STD_FAMILY_P2P:
  case MCK_STD_FAMILY_COLLECTIVE:
  case MCK_STD_FAMILY_NEIGHBORHOOD:
  case MCK_STD_FAMILY_RMA:
  case MCK_STD_FAMILY_FILE: return true;
  default: return false;
  }
}

void mck_strand_uses(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now) {
  forget();
  mine[0] = mine[1] = 0;
  if (mck_rt.is_profiler || take_requests(call, a, now) || take_synchronization(call, a, now)) return;
  if (call->nfindings || call->is_doubtful || !is_operation(call->fn)) return;
  bool is_rma = mck_std(call->fn)->family == MCK_STD_FAMILY_RMA;
  bool is_blocking = !is_rma && !mck_std(call->fn)->has_request && mck_std(call->fn)->split != MCK_STD_SPLIT_BEGIN;
  for (unsigned i = 0; i < call->nuses && i < 2; i++) {
    struct operation *o = add(&call->uses[i], now);
    if (!o) continue;
    o->is_over = is_blocking;
    if (is_rma) o->window = mck_window_find(a->win), o->target = a->target;
  }
}
