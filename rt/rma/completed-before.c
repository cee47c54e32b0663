// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses are compared with what is on record for their bytes when the walk comes to them: an access that was recorded
// before, and that is not completed before the new one, is a candidate. The walk is one of the orders that the edges
// allow, so nothing that is recorded later can come before the new one.
//
// Each log has a clock. An event from which others may learn something (a send, the entry into a collective, a post, a
// complete) keeps the clock of its log, and the rank that learns it takes the maximum (the paper's R2 to R4, and the
// same for messages and other collectives: known-events.c). R1's counter is the number of the event in its log.
#include "rma/rma-walk.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report/why.h"
#include "rma/access-order.h"
#include "rma/race-finding.h"

enum { LIST_MAX = 512, SHORT_LIST = 16 };

uint32_t mck_walk_find_class(struct mck_walk *w, const struct mck_access_class *class) {
  struct mck_rma_found *found = &w->found;
  const struct mck_conflict_access *what = &class->what;
  uint32_t slot, id;
  if (w->last_class < found->nclasses && mck_access_is_same(&found->classes[w->last_class], class))
    return w->last_class;
  uint64_t hash = mck_table_mix((uint64_t)class->site << 32 | what->process, (uint64_t)what->window << 32 |
                                                                                 (uint64_t)class->fn << 16 |
                                                                                 what->kind << 8 | what->lock);
  MCK_TABLE_EACH (&w->class_table, hash, slot, id)
    if (mck_access_is_same(&found->classes[id], class)) return w->last_class = id;
  if (!MCK_PUSH(found->classes, found->nclasses, found->classes_capacity, *class) ||
      !mck_table_add(&w->class_table, hash, (uint32_t)found->nclasses - 1))
    mck_walk_fail(w);
  return w->last_class = found->nclasses ? (uint32_t)found->nclasses - 1 : 0;
}

static const struct mck_access_class *class_of(const struct mck_walk *w, const struct mck_rma_access *a) {
  return &w->found.classes[a->class];
}

// The new access (of log) and one on record. What the rank of the new one knew of the log where the other is complete
// its clock tells. The walk came to the new one later, so that it was not complete before the other.
enum mck_access_order mck_walk_order(const struct mck_walk *w, const struct mck_rma_access *a, uint32_t log) {
  const struct mck_rma_access *b = &w->at;
  uint64_t of_b = 0, component = a->done == MCK_NONE ? MCK_NONE : mck_walk_component(w, a->done_log, a->done);
  if (a->done != MCK_NONE)
    of_b = a->done_log == log && mck_walk_is_own(w, log, a->done) ? b->event
           : component == MCK_NONE                                ? MCK_KNOWN_ALL
                                                                  : w->logs[log].clock->known[component];
  if (MCK_UNLIKELY(w->strands[class_of(w, a)->what.process] != MCK_NONE) && mck_walk_knows_end(w, a, log))
    return MCK_ORDER_COMPLETED;
  struct mck_known_times known_b = {of_b, b->may_know_all ? MCK_KNOWN_ALL : of_b},
                         known_a = {0, a->may_know_all ? MCK_KNOWN_ALL : 0};
  return mck_access_order(a->done, known_b, b->done, known_a);
}

// --- candidates ---
// A buffer of a message. Its request may be freed behind a cut, or may not stay in the log: nothing is left for later.
static bool is_of_message(const struct mck_access_class *class) {
  return class->what.is_buffer && !mck_access_is_of_operation(class);
}

// At a cut a receive counts as begun only, as long as no message was sent for it.
static bool is_matched_later(const struct mck_walk *w, uint32_t log, uint32_t access) {
  const struct mck_event *events = w->run->readers[log].events;
  uint32_t at = access;
  while (at > 0 && events[at].kind == MCK_EV_ACCESS) at--;
  struct mck_pair send = w->run->pairs->of[log][at];
  return events[at].kind == MCK_EV_RECV && send.log != MCK_NONE && send.index > w->logs[send.log].cut;
}

// Where logs are cut, two accesses that are both not complete stay in the logs and are judged when they are. Of two
// that were entered before a cut only such a pair is left: any other pair was judged at that cut, and the log does not
// have what ordered it any more.
static bool is_of_other_cut(const struct mck_walk *w, const struct mck_rma_access *a, uint32_t log_b) {
  const struct mck_rma_access *b = &w->at;
  uint32_t log_a = class_of(w, a)->what.process, cut_a = w->logs[log_a].cut, cut_b = w->logs[log_b].cut;
  bool is_message_a = is_of_message(class_of(w, a)), is_message_b = is_of_message(class_of(w, b));
  if (w->run->is_cut && a->done == MCK_NONE && b->done == MCK_NONE) return !is_message_a && !is_message_b;
  if (cut_a == MCK_NONE || cut_b == MCK_NONE || a->event > cut_a || b->event > cut_b) return false;
  if (is_message_a && !is_matched_later(w, log_a, a->event)) return true;
  if (is_message_b && !is_matched_later(w, log_b, b->event)) return true;
  return (a->done != MCK_NONE && a->done < w->logs[a->done_log].cut) ||
         (b->done != MCK_NONE && b->done < w->logs[b->done_log].cut);
}

// The pair of the two classes on this owner's memory; NULL: out of memory.
static struct mck_rma_pair *find_pair(struct mck_walk *w, const struct mck_rma_access *a, enum mck_conflict conflict) {
  uint64_t hash = mck_table_mix((uint64_t)a->class << 32 | w->at.class, w->owner);
  uint32_t slot, id;
  MCK_TABLE_EACH (&w->pair_table, hash, slot, id) {
    struct mck_rma_pair *p = &w->found.pairs[id];
    if (p->a == a->class && p->b == w->at.class && p->owner == w->owner) return p;
  }
  struct mck_rma_pair new = {.a = a->class, .b = w->at.class, .owner = w->owner, .conflict = conflict};
  if (!MCK_PUSH(w->found.pairs, w->found.npairs, w->found.pairs_capacity, new) ||
      !mck_table_add(&w->pair_table, hash, (uint32_t)w->found.npairs - 1)) {
    mck_walk_fail(w);
    return NULL;
  }
  return &w->found.pairs[w->found.npairs - 1];
}

static void add_occurrence(const struct mck_walk *w, struct mck_rma_pair *p, const struct mck_rma_access *a,
                           uint64_t low, uint64_t high) {
  const struct mck_rma_access *b = &w->at;
  const struct mck_rma_occurrence *last = p->noccurrences ? &p->occurrences[p->noccurrences - 1] : NULL;
  if (last && last->event_a == a->event && last->event_b == b->event) return; // another piece of the same two
  p->count++;
  if (p->noccurrences == MCK_RMA_OCCURRENCES) return;
  const struct mck_clock *clock = w->logs[class_of(w, b)->what.process].clock;
  uint32_t of_done = a->done == MCK_NONE ? MCK_NONE : mck_walk_component(w, a->done_log, a->done),
           of_a = mck_walk_component(w, class_of(w, a)->what.process, a->event);
  p->occurrences[p->noccurrences++] = (struct mck_rma_occurrence){
      .event_a = a->event,
      .event_b = b->event,
      .done_log_a = a->done_log,
      .done_a = a->done,
      .done_log_b = b->done_log,
      .done_b = b->done,
      .known = of_done == MCK_NONE ? 0 : clock->known[of_done],
      .known_of_a = of_a == MCK_NONE ? 0 : clock->known[of_a],
      .low = low,
      .high = high};
}

static void add_pair(struct mck_walk *w, const struct mck_rma_access *a, enum mck_conflict conflict, uint64_t low,
                     uint64_t high) {
  if (is_of_other_cut(w, a, class_of(w, &w->at)->what.process)) return;
  struct mck_rma_pair *p = find_pair(w, a, conflict);
  if (!p) return;
  // The same bytes say more than the same window.
  if (p->conflict != MCK_CONFLICT_MODEL && conflict == MCK_CONFLICT_MODEL) return;
  if (p->conflict == MCK_CONFLICT_MODEL && conflict != MCK_CONFLICT_MODEL)
    p->conflict = conflict, p->noccurrences = p->count = 0;
  add_occurrence(w, p, a, low, high);
}

static enum mck_conflict conflict_with(const struct mck_walk *w, const struct mck_rma_access *a) {
  const struct mck_conflict_access *first = &class_of(w, a)->what, *second = &class_of(w, &w->at)->what;
  if (w->is_whole) return mck_conflict_of_disjoint(first, second);
  bool is_misaligned = mck_access_is_misaligned(a->position, w->at.position);
  return mck_conflict_of(first, second, is_misaligned, w->win ? w->win->traits : 0);
}

// Option why: what orders the new access and one on record that conflicts with it, or that nothing does.
static void print_why(const struct mck_walk *w, const struct mck_rma_access *a, enum mck_access_order order) {
  const struct mck_rma_access *b = &w->at;
  if (conflict_with(w, a) == MCK_CONFLICT_NONE) return;
  const struct mck_reader *logs = w->run->readers;
  const struct mck_access_class *of_a = class_of(w, a), *of_b = class_of(w, b);
  char how[64] = "";
  if (order == MCK_ORDER_COMPLETED && a->done == MCK_NONE) snprintf(how, sizeof how, "with a call of another thread");
  else if (order == MCK_ORDER_COMPLETED)
    snprintf(how, sizeof how, "with event %u of rank %u", a->done, logs[a->done_log].header->rank);
  if (order == MCK_ORDER_POSSIBLE) snprintf(how, sizeof how, "what no log has");
  mck_race_why(order, of_a, logs[of_a->what.process].header->rank, a->event, of_b,
               logs[of_b->what.process].header->rank, b->event, how);
}

// The new access and one on record that nothing orders.
static void check_pair(struct mck_walk *w, const struct mck_rma_access *a, uint64_t low, uint64_t high) {
  enum mck_conflict conflict = conflict_with(w, a);
  if (conflict != MCK_CONFLICT_NONE) add_pair(w, a, conflict, low, high);
}

// --- records ---
// A new access at the end of a list; MCK_NONE: out of memory.
static uint32_t add_access(struct mck_walk *w, const struct mck_rma_access *access) {
  uint32_t at = w->spare;
  if (at != MCK_NONE) w->spare = w->accesses[at].next, w->accesses[at] = *access;
  else if (MCK_PUSH(w->accesses, w->naccesses, w->accesses_capacity, *access)) at = (uint32_t)w->naccesses - 1;
  else mck_walk_fail(w);
  if (at != MCK_NONE) w->accesses[at].next = MCK_NONE;
  return at;
}

static uint32_t copy_list(void *context, uint32_t list) {
  struct mck_walk *w = context;
  uint32_t first = MCK_NONE, last = MCK_NONE;
  for (; list != MCK_NONE; list = w->accesses[list].next) {
    const struct mck_rma_access copied = w->accesses[list]; // the table may move
    uint32_t at = add_access(w, &copied);
    if (at == MCK_NONE) return first;
    if (first == MCK_NONE) first = at;
    else w->accesses[last].next = at;
    last = at;
  }
  return first;
}

// Mostly the next interval has accesses of the same two classes.
static bool is_covered(struct mck_walk *w, const struct mck_rma_access *a) {
  struct mck_walk_cover *last = &w->cover;
  if (!last->is_known || last->a != a->class || last->b != w->at.class)
    *last = (struct mck_walk_cover){a->class, w->at.class, true,
                                    mck_conflict_covers(&class_of(w, &w->at)->what, &class_of(w, a)->what)};
  return last->is_covered;
}

// Whether the new access makes the one on record superfluous: a third one that comes after the new one then comes after
// the old one, too. Where sections order something, a later third one may possibly come before the new one, and surely
// not before the old one: in short lists both stay.
static bool is_replaced(struct mck_walk *w, const struct mck_rma_access *a, bool is_before, uint32_t length) {
  const struct mck_rma_access *b = &w->at;
  const struct mck_conflict_access *what = &class_of(w, b)->what;
  if (w->is_whole) return is_before && a->class == b->class;
  if (what->kind == MCK_CONFLICT_ACCUMULATE && a->position != b->position) return false;
  if (class_of(w, a)->end && a->class != b->class) return mck_freed_is_over(class_of(w, a), class_of(w, b));
  if (is_before && (!w->run->nsections || length >= SHORT_LIST) && is_covered(w, a)) return true;
  if (w->strands[what->process] != MCK_NONE &&
      (a->class != b->class ||
       mck_walk_component(w, what->process, a->event) != mck_walk_component(w, what->process, b->event)))
    return false; // one line of the source in two threads
  return a->class == b->class && a->may_know_all == b->may_know_all &&
         (a->done_log == b->done_log || b->done == MCK_NONE) && a->done <= b->done;
}

// Is the access at hand a load or store of which nothing is to be asked but what it makes superfluous, if what is on
// record comes before it?
static bool is_simple(const struct mck_walk *w) {
  const struct mck_access_class *class = class_of(w, &w->at);
  return mck_conflict_is_local(&class->what) && !class->end && !w->is_whole && !w->is_sync_asked &&
         !w->run->nsections && !mck_options.why[0];
}

// Looks at one that is on record. true: it is superfluous from now on.
static bool meet(struct mck_walk *w, const struct mck_rma_access *a, uint32_t log, uint32_t length, uint64_t low,
                 uint64_t high) {
  bool is_same = class_of(w, a)->what.process == log && a->event == w->at.event;
  enum mck_access_order order = is_same ? MCK_ORDER_COMPLETED : mck_walk_order(w, a, log);
  if (MCK_UNLIKELY(mck_options.why[0]) && !is_same) print_why(w, a, order);
  if (order == MCK_ORDER_NONE) check_pair(w, a, low, high);
  if (MCK_UNLIKELY(w->is_sync_asked) && order == MCK_ORDER_COMPLETED && !is_same) mck_sync_check(w, a, low, high);
  if (MCK_UNLIKELY(class_of(w, a)->end) && order == MCK_ORDER_COMPLETED && !is_same) mck_freed_touch(w, a, low, high);
  return is_same || is_replaced(w, a, order == MCK_ORDER_COMPLETED, length);
}

static uint32_t visit_interval(void *context, uint32_t list, uint64_t low, uint64_t high) {
  struct mck_walk *w = context;
  const struct mck_rma_access *b = &w->at;
  uint32_t log = class_of(w, b)->what.process, first = MCK_NONE, last = MCK_NONE, freed = MCK_NONE, n = 0;
  // What is complete in a log that is one strand comes before what is behind it there, as mck_walk_order would say.
  uint32_t own = w->logs[log].strands || !is_simple(w) ? MCK_NONE : log;
  for (uint32_t next; list != MCK_NONE; list = next) {
    struct mck_rma_access *a = &w->accesses[list];
    next = a->next;
    bool is_before = a->done_log == own && a->done < b->event && !class_of(w, a)->end;
    if (is_before ? is_covered(w, a) : meet(w, a, log, n, low, high)) {
      if (freed == MCK_NONE) freed = list;
      else a->next = w->spare, w->spare = list;
      continue;
    }
    if (first == MCK_NONE) first = list;
    else w->accesses[last].next = list;
    last = list;
    a->next = MCK_NONE;
    n++;
  }
  if (n >= LIST_MAX) { // no more are kept: what is on record will do
    if (freed != MCK_NONE) w->accesses[freed].next = w->spare, w->spare = freed;
    return first;
  }
  uint32_t at = freed == MCK_NONE ? add_access(w, b) : freed;
  if (at == MCK_NONE) return first;
  if (freed != MCK_NONE) w->accesses[at] = *b, w->accesses[at].next = MCK_NONE;
  if (first == MCK_NONE) return at;
  w->accesses[last].next = at;
  return first;
}

bool mck_walk_touch(struct mck_walk *w, uint64_t low, uint64_t high) {
  if (w->observer && w->observer->touched) {
    if (!w->is_whole) w->observer->touched(w->observer->context, w, class_of(w, &w->at)->what.process, low, high);
    return true;
  }
  struct mck_interval_sink sink = {w, copy_list, visit_interval};
  w->at.position = mck_access_position(low, high, w->element);
  if (!mck_intervals_visit(&w->intervals[w->owner], low, high, &sink)) mck_walk_fail(w);
  return !mck_walk_is_short(w);
}

void mck_walk_touch_window(struct mck_walk *w, uint32_t window) {
  if (!(w->win->traits & MCK_WIN_SEPARATE) || !mck_conflict_is_writing(&class_of(w, &w->at)->what) ||
      mck_walk_is_short(w))
    return;
  w->is_whole = true;
  uint64_t low = UINT64_MAX - 1 - window;
  mck_walk_touch(w, low, low + 1);
  w->is_whole = false;
}
