// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a byte of window memory must hold. An access is a record of its bytes until a later write is known to follow it
// (completed-before, rma/access-order.h). If all records come before a write, its value is the value; if not, nobody
// knows which of them took effect last, and nothing is said until the owner has looked at the byte behind all of them.
// Accumulates with one operation may take effect in any order: they stay beside each other.
#include "flow/window-flow.h"
#include <string.h>
#include "standard/epoch-call.h"

enum { RECORDS_MAX = 1024, FOLD_MIN = 32 }; // of one byte

static struct mck_window_state *state(struct mck_window_flow *f, uint32_t list) {
  return list == MCK_NONE ? NULL : &f->states[list];
}

static uint32_t add_state(struct mck_window_flow *f) {
  struct mck_window_state new = {.first = MCK_NONE};
  if (MCK_PUSH(f->states, f->nstates, f->states_capacity, new)) return (uint32_t)f->nstates - 1;
  mck_walk_fail(f->walk);
  return MCK_NONE;
}

static void add_record(struct mck_window_flow *f, uint32_t list, struct mck_window_record record) {
  uint32_t at = f->free_record;
  record.next = f->states[list].first;
  if (at != MCK_NONE) f->free_record = f->records[at].next, f->records[at] = record;
  else if (MCK_PUSH(f->records, f->nrecords, f->records_capacity, record)) at = (uint32_t)f->nrecords - 1;
  if (at == MCK_NONE) mck_walk_fail(f->walk);
  else f->states[list].first = at;
}

static uint32_t copy(void *context, uint32_t list) {
  struct mck_window_flow *f = context;
  uint32_t new = list == MCK_NONE ? MCK_NONE : add_state(f);
  if (new == MCK_NONE) return MCK_NONE;
  f->states[new].is_known = f->states[list].is_known;
  for (uint32_t r = f->states[list].first; r != MCK_NONE; r = f->records[r].next) add_record(f, new, f->records[r]);
  return new;
}

static bool is_before(struct mck_window_flow *f, const struct mck_window_record *r) {
  bool is_same = r->log == f->now.log && r->at.event == f->now.at.event;
  return !is_same && mck_walk_order(f->walk, &r->at, f->now.log) == MCK_ORDER_COMPLETED;
}

// Removes the records that are known to be over: who does not follow one of them does not follow now either.
static void remove_records(struct mck_window_flow *f, uint32_t list) {
  for (uint32_t *at = &f->states[list].first, r; (r = *at) != MCK_NONE;) {
    struct mck_window_record *record = &f->records[r];
    if (!is_before(f, record)) {
      at = &record->next;
      continue;
    }
    *at = record->next;
    record->next = f->free_record, f->free_record = r;
  }
}

struct count {
  uint32_t n, unordered, added, others; // others: unordered ones, or accumulates, that are not like now
};
static struct count count(struct mck_window_flow *f, uint32_t list) {
  struct count c = {0};
  const struct mck_window_record *now = &f->now;
  for (uint32_t r = f->states[list].first; r != MCK_NONE; r = f->records[r].next, c.n++) {
    const struct mck_window_record *record = &f->records[r];
    bool is_alike = record->kind == MCK_WINDOW_ADD && now->kind == MCK_WINDOW_ADD && record->op.op == now->op.op &&
                    record->op.form == now->op.form && record->op.size == now->op.size &&
                    (record->begin - now->begin) % now->op.size == 0;
    bool is_over = is_before(f, record);
    is_alike &= is_over || !record->is_sealed;
    c.unordered += !is_over, c.added += record->kind == MCK_WINDOW_ADD;
    c.others += !is_alike && (!is_over || record->kind == MCK_WINDOW_ADD);
  }
  return c;
}

static void suspect(struct mck_window_flow *f, uint32_t list, uint64_t low, uint64_t high,
                    struct mck_window_suspect text) {
  text.part = f->part, text.low = low, text.high = high;
  text.read = f->now, text.writer = f->records[f->states[list].first];
  mck_window_suspect(f, &text);
}

// Something was read behind all records.
static void check(struct mck_window_flow *f, uint32_t list, uint64_t low, uint64_t high, const uint8_t *bytes) {
  struct mck_window_suspect text = {0};
  if (list == MCK_NONE || !bytes || !f->states[list].is_known || count(f, list).unordered) return;
  if (!mck_window_holds(f, state(f, list), low, high, bytes, &text)) suspect(f, list, low, high, text);
}

// --- writes ---
// An accumulate that need not follow those beside it has to follow what these began with. So the records stay, also
// those that are over, until their values are made one. Then only what follows now follows them all: it is sealed.
static void add(struct mck_window_flow *f, uint32_t list, uint64_t low, uint64_t high) {
  struct count c = count(f, list);
  bool is_fold = !c.unordered && (c.others || c.added >= FOLD_MIN);
  if (is_fold && f->states[list].is_known) {
    f->states[list].is_known = mck_window_fold(f, state(f, list), low, high);
    c.others = 0;
  }
  if (c.others || !f->now.taken) f->states[list].is_known = false;
  f->now.is_sealed = is_fold;
  if (is_fold || !f->states[list].is_known) remove_records(f, list);
}

static void swap(struct mck_window_flow *f, uint32_t list, uint64_t low, uint64_t high) {
  struct count c = count(f, list);
  bool is_known = f->states[list].is_known && !c.unordered && f->now.taken && f->now.compared;
  if (is_known && c.added) is_known = mck_window_fold(f, state(f, list), low, high);
  uint8_t *base = mck_window_base(f, low);
  if (is_known && !memcmp(base, f->now.compared + low + f->now.shift, high - low))
    memcpy(base, f->now.taken + low + f->now.shift, high - low);
  f->states[list].is_known = is_known;
  remove_records(f, list);
}

static void put(struct mck_window_flow *f, uint32_t list, uint64_t low, uint64_t high) {
  bool is_known = !count(f, list).unordered && f->now.taken;
  if (is_known) memcpy(mck_window_base(f, low), f->now.taken + low + f->now.shift, high - low);
  f->states[list].is_known = is_known;
  remove_records(f, list);
}

// --- looks ---
static bool is_only_looked(const struct mck_window_flow *f, uint32_t list) {
  uint32_t first = f->states[list].first;
  return first != MCK_NONE && f->records[first].kind == MCK_WINDOW_LOOK && f->records[first].next == MCK_NONE;
}

// All that was written is complete: the bytes are what they must be, and become the base. Bytes that nothing of the
// program has written, and that are others than before, are no finding: a store may not have been seen.
static void look(struct mck_window_flow *f, uint32_t list, uint64_t low, uint64_t high) {
  struct mck_window_part *p = mck_window_part(f);
  const uint8_t *seen = p->seen + (low - p->low);
  if (count(f, list).unordered) {
    struct mck_window_range again = {low, high};
    if (!MCK_PUSH(p->dirty, p->ndirty, p->dirty_capacity, again)) mck_walk_fail(f->walk);
    return;
  }
  if (f->states[list].is_known && !is_only_looked(f, list)) {
    struct mck_window_suspect text = {0};
    uint32_t wrong = mck_window_misfetched(f, state(f, list), low, high, seen, &text);
    if (!mck_window_holds(f, state(f, list), low, high, seen, &text)) suspect(f, list, low, high, text);
    else if (wrong != MCK_NONE) {
      text.part = f->part, text.low = low, text.high = high;
      text.read = f->records[wrong], text.writer = f->now;
      mck_window_suspect(f, &text);
    }
  }
  memcpy(mck_window_base(f, low), seen, high - low);
  remove_records(f, list);
  f->states[list].is_known = true;
  add_record(f, list, f->now);
}

static uint32_t visit(void *context, uint32_t list, uint64_t low, uint64_t high) {
  struct mck_window_flow *f = context;
  const struct mck_window_record *now = &f->now;
  if (mck_walk_is_short(f->walk)) return list;
  if (now->kind == MCK_WINDOW_READ) {
    check(f, list, low, high, now->brought);
    return list;
  }
  if (list == MCK_NONE) list = add_state(f);
  if (list == MCK_NONE) return list;
  if (now->kind == MCK_WINDOW_LOOK) {
    look(f, list, low, high);
    return list;
  }
  check(f, list, low, high, now->brought);
  if (now->kind == MCK_WINDOW_ADD) add(f, list, low, high);
  else if (now->kind == MCK_WINDOW_SWAP) swap(f, list, low, high);
  else put(f, list, low, high);
  if (count(f, list).n >= RECORDS_MAX) mck_window_part(f)->is_off = true;
  add_record(f, list, *now);
  return list;
}

bool mck_window_touch(struct mck_window_flow *f, uint64_t low, uint64_t high) {
  struct mck_interval_sink sink = {f, copy, visit};
  return mck_intervals_visit(&mck_window_part(f)->intervals, low, high, &sink);
}
