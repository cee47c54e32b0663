// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections: lock epochs and atomic operations, which take place one after another in an order that no log has
// (possible-order.c). Each is about an object: the lock of a window at a target, or the address of an element.
#include <stdlib.h>
#include "rma/operation-scan.h"

// Objects: locks have odd numbers, addresses even ones.
static uint64_t lock_object(const struct mck_scan *p, const struct mck_scan_window *s, uint32_t target) {
  uint32_t window = p->log->window_of[s - p->windows];
  return mck_table_mix(mck_table_mix(p->run->windows[window].key, 2), target) | 1;
}
static uint64_t element_object(uint32_t owner, uint64_t eight_bytes) {
  return mck_table_mix(mck_table_mix(owner, 1), eight_bytes) & ~(uint64_t)1;
}

static void add(struct mck_scan *p, struct mck_rma_section section) {
  section.log = p->number;
  if (!MCK_PUSH(p->run->sections, p->run->nsections, p->run->sections_capacity, section)) p->run->is_short = true;
}

void mck_section_note_read(struct mck_scan *p, const struct mck_event *e, size_t op) {
  bool is_op = e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC;
  bool is_reading = is_op                      ? mck_rma_is_fetching(e)
                    : e->kind == MCK_EV_ACCESS ? !(e->flags & MCK_ACCESS_STORE) || e->flags & MCK_ACCESS_ATOMIC
                                               : mck_std(e->fn)->family == MCK_STD_FAMILY_FILE;
  struct mck_scan_read new = {p->at, (uint32_t)op};
  if (is_reading && !MCK_PUSH(p->reads, p->nreads, p->reads_capacity, new)) p->run->is_short = true;
}

// The holder of a lock learns nothing of earlier holders before it has read something: a lock tells only that it is
// granted. Where the log does not have all that may have been read, that may have been at once.
static uint32_t heard_since(const struct mck_scan *p, uint32_t begin) {
  const struct mck_log_header *header = p->reader->header;
  uint32_t cut = mck_order_cut(p->reader);
  if (header->has_all_accesses != MCK_SEES_ALL || (cut != MCK_NONE && begin <= cut)) return begin;
  if (p->strands) return MCK_NONE; // once all reads are known (find_heard)
  size_t low = 0, high = p->nreads;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (p->reads[middle].event < begin) low = middle + 1;
    else high = middle;
  }
  uint32_t heard = MCK_NONE - 1;
  for (; low < p->nreads && p->reads[low].event < heard; low++) {
    const struct mck_scan_read *r = &p->reads[low];
    uint32_t over = r->op ? p->log->ops[r->op - 1].over : MCK_NONE;
    // What a get brings is there when it is complete. Loads between two calls are in the log by place, not in order.
    uint32_t event = r->op && over != MCK_NONE ? over : r->event ? r->event - 1 : 0;
    if (p->reader->events[r->event].kind == MCK_EV_ACCESS)
      while (event > begin && p->reader->events[event].kind == MCK_EV_ACCESS) event--;
    if (event < heard) heard = event;
  }
  return heard < begin ? begin : heard;
}

void mck_section_add_lock(struct mck_scan *p, const struct mck_scan_window *s, uint32_t target, uint32_t begin,
                          uint8_t lock) {
  add(p, (struct mck_rma_section){.object = lock_object(p, s, target),
                                  .owner = MCK_NONE,
                                  .enter = begin,
                                  .acquired = begin,
                                  .heard = heard_since(p, begin),
                                  .end = p->at,
                                  .released = p->at + 1, // the operations that end with it, too
                                  .in = begin,
                                  .out = p->at,
                                  .is_releasing = true,
                                  .is_acquiring = true,
                                  .is_exclusive = lock == MCK_CONFLICT_EXCLUSIVE,
                                  .is_lock = true});
}

// An operation on one element is about its address, one on more elements about all memory of its target.
void mck_section_add_atomic(struct mck_scan *p, const struct mck_event *e, size_t op) {
  uint32_t owner;
  struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, e->rma.win);
  const struct mck_win_def *target = mck_rma_target(p->run, w, e->rma.target, &owner);
  if (!target) return;
  uint64_t address = target->body->base + e->rma.disp * target->disp_unit;
  if (e->rma.count != 1 || e->rma.type >= MCK_TYPE_USER) p->run->is_coarse[owner] = true;
  // Its end is not known yet: the operation's number stands for it (mck_section_end_log).
  add(p, (struct mck_rma_section){.object = element_object(owner, address >> 3),
                                  .owner = owner,
                                  .enter = p->at,
                                  .acquired = (uint32_t)op,
                                  .end = MCK_NONE,
                                  .released = p->at,
                                  .in = p->at,
                                  .out = p->at,
                                  .is_releasing = mck_rma_is_update(e),
                                  .is_acquiring = mck_rma_is_fetching(e),
                                  .is_exclusive = true});
}

// The loads and stores around this one without a call between them.
static void find_run(struct mck_scan *p) {
  const struct mck_reader *r = p->reader;
  if (p->first != MCK_NONE && p->at <= p->last) return;
  p->first = p->last = p->at;
  for (uint64_t i = p->at; i < r->units; i += mck_event_units(&r->events[i])) {
    if (r->events[i].kind == MCK_EV_ACCESS) p->last = (uint32_t)i;
    else if (mck_order_is_call(&r->events[i])) break;
  }
}

// A polling load may have read what a store wrote. An atomic store may be one that reads before it writes (a
// compare-and-swap, an exchange): processes take locks in shared memory by it.
void mck_section_add_polling(struct mck_scan *p, const struct mck_event *e) {
  struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, e->access.win);
  uint32_t owner;
  find_run(p);
  const struct mck_win_def *win = w ? mck_rma_target(p->run, w, mck_rma_owner(p->run, p->number, e), &owner) : NULL;
  if (!win || !mck_rma_is_polling(p->reader, p->at)) return;
  bool is_store = e->flags & MCK_ACCESS_STORE;
  if (e->access.n != 1 || e->access.size > 8) p->run->is_coarse[owner] = true;
  // Loads and stores between two calls are in the log by place, not in the order of the program
  // (record/access/touched-range.c): each of them may have been the last to release, and the first to acquire.
  add(p, (struct mck_rma_section){.object = element_object(owner, (win->body->base + e->access.offset) >> 3),
                                  .owner = owner,
                                  .enter = p->first,
                                  .acquired = p->first ? p->first - 1 : 0,
                                  .heard = p->first ? p->first - 1 : 0,
                                  .end = p->last,
                                  .released = p->last + 1,
                                  .in = p->at,
                                  .out = p->at,
                                  .is_releasing = is_store,
                                  .is_acquiring = !is_store || e->flags & MCK_ACCESS_ATOMIC,
                                  .is_exclusive = true});
}

// In a log with strands another strand's call may have ended the operation, too, and so have told what it has read.
static void end_by_others(struct mck_scan *p, const struct mck_rma_section *section, uint32_t op) {
  for (size_t i = 0; i < p->log->nunsure; i++) {
    uint32_t at = p->log->unsure[i].at;
    if (p->log->unsure[i].op != op || !section->is_acquiring) continue;
    struct mck_rma_section new = *section;
    new.end = new.acquired = new.heard = new.in = at;
    add(p, new);
  }
}

// --- reads of strands ---
struct strand_reads {
  uint32_t *events, *first; // of strand t: events[first[t]] up to events[first[t + 1]], in their order
};

static bool open_reads(struct strand_reads *r, const struct mck_scan *p) {
  uint32_t nstrands = p->strands->nstrands, piece = 0;
  r->events = calloc(p->nreads + 1, sizeof *r->events), r->first = calloc(nstrands + 2, sizeof *r->first);
  if (!r->events || !r->first) return false;
  for (size_t i = 0; i < p->nreads; i++) {
    piece = mck_strands_next_piece(p->strands, piece, p->reads[i].event);
    r->first[p->strands->pieces[piece].strand + 2]++;
  }
  for (uint32_t t = 0; t < nstrands; t++) r->first[t + 2] += r->first[t + 1];
  piece = 0;
  for (size_t i = 0; i < p->nreads; i++) {
    piece = mck_strands_next_piece(p->strands, piece, p->reads[i].event);
    r->events[r->first[p->strands->pieces[piece].strand + 1]++] = p->reads[i].event;
  }
  return true;
}

// The first read of a strand that is not ordered before an event, of another strand; of its own: that is not before it.
static uint32_t first_read(const struct mck_scan *p, const struct strand_reads *r, uint32_t strand, uint32_t begin) {
  uint32_t piece = mck_strands_piece(p->strands, begin), low = r->first[strand], high = r->first[strand + 1],
           end = high;
  bool is_own = p->strands->pieces[piece].strand == strand;
  while (low < high) {
    uint32_t middle = (low + high) / 2, event = r->events[middle];
    if (is_own ? event < begin : mck_strands_piece_is_before(p->strands, mck_strands_piece(p->strands, event), piece))
      low = middle + 1;
    else high = middle;
  }
  return low < end ? r->events[low] : MCK_NONE;
}

// Behind which event the strand that has entered a turn may have read something in it. What another strand reads may be
// in the turn if it is ordered neither before it nor behind it. That strand may pass it on in any way, so it counts as
// read at once. No order counts that the strands had only in this run, and a get may be complete before its own strand
// completes it.
static uint32_t heard_by_strands(const struct mck_scan *p, const struct strand_reads *r, uint32_t begin, uint32_t end) {
  uint32_t own = mck_strands_of(p->strands, begin), heard = MCK_NONE - 1;
  for (uint32_t t = 0; t < p->strands->nstrands; t++) {
    uint32_t event = first_read(p, r, t, begin);
    if (event == MCK_NONE || (t == own && event > end)) continue;
    if (t != own) {
      if (end < MCK_NONE - 1 && mck_strands_is_before(p->strands, end, event)) continue;
      return begin;
    }
    heard = event - 1;
    while (heard > begin && p->reader->events[heard].kind == MCK_EV_ACCESS) heard--;
  }
  return heard < begin ? begin : heard;
}

static void find_heard(struct mck_scan *p, size_t first) {
  struct strand_reads reads = {0};
  if (!p->strands || !open_reads(&reads, p)) p->run->is_short |= p->strands != NULL;
  else
    for (size_t i = first; i < p->run->nsections; i++) {
      struct mck_rma_section *s = &p->run->sections[i];
      if (s->is_lock && s->heard == MCK_NONE) s->heard = heard_by_strands(p, &reads, s->enter, s->end);
    }
  free(reads.events), free(reads.first);
}

void mck_section_end_log(struct mck_scan *p, size_t first) {
  for (uint32_t i = 0; i < p->reader->nwins; i++) {
    const struct mck_scan_window *s = &p->windows[i];
    p->at = MCK_NONE - 1;
    for (uint32_t t = 0; s->locks && t < s->size; t++)
      if (s->locks[t]) mck_section_add_lock(p, s, t, s->locked[t], s->locks[t]);
      else if (s->locked_all != MCK_NONE && !s->is_all_nocheck)
        mck_section_add_lock(p, s, t, s->locked_all, MCK_CONFLICT_SHARED);
  }
  find_heard(p, first);
  for (size_t i = first, n = p->run->nsections; i < n && !p->run->is_short; i++) {
    struct mck_rma_section *section = &p->run->sections[i];
    if (section->end != MCK_NONE) continue;
    uint32_t number = section->acquired;
    const struct mck_rma_op *op = &p->log->ops[number];
    // From an operation that never ends nothing is learned.
    section->end = op->done != MCK_NONE && op->done_log == p->number ? op->done : MCK_NONE - 1;
    section->acquired = section->heard = section->end;
    if (section->end < MCK_NONE - 1) section->in = section->end;
    const struct mck_rma_section copied = *section; // the table may move
    end_by_others(p, &copied, number);
  }
}

static int compare_sections(const void *a, const void *b) {
  const struct mck_rma_section *x = a, *y = b;
  if (x->log != y->log) return x->log < y->log ? -1 : 1;
  if (x->enter != y->enter) return x->enter < y->enter ? -1 : 1;
  return x->object != y->object ? (x->object < y->object ? -1 : 1) : 0;
}

// What the sections about one object are, all together.
struct object {
  uint64_t number;
  uint32_t log, strand; // of the first one
  bool is_exclusive, is_of_several, is_releasing, is_acquiring;
};
struct objects {
  struct object *items;
  size_t count, capacity;
  struct mck_table table;
};

static struct object *find_object(const struct objects *o, uint64_t number) {
  uint32_t slot, id;
  MCK_TABLE_EACH (&o->table, number >> 1, slot, id)
    if (o->items[id].number == number) return &o->items[id];
  return NULL;
}

static bool add_section(struct objects *o, const struct mck_rma_run *run, const struct mck_rma_section *s) {
  const struct mck_strands *strands = mck_rma_strands(run, s->log);
  uint32_t in = strands ? mck_strands_of(strands, s->in) : 0, out = strands ? mck_strands_of(strands, s->out) : 0;
  struct object *found = find_object(o, s->object), new = {.number = s->object, .log = s->log, .strand = in};
  if (!found) {
    if (!MCK_PUSH(o->items, o->count, o->capacity, new) ||
        !mck_table_add(&o->table, s->object >> 1, (uint32_t)o->count - 1))
      return false;
    found = &o->items[o->count - 1];
  }
  found->is_exclusive |= s->is_exclusive,
      found->is_of_several |= s->log != found->log || in != found->strand || out != found->strand;
  found->is_releasing |= s->is_releasing, found->is_acquiring |= s->is_acquiring;
  return true;
}

// Sections about one object order nothing if all are shared, if one strand has them all, or if none of them releases or
// none acquires. A program that polls makes a section with each look, and most of them leave here: so nothing is sorted
// before.
static bool may_order(const struct object *o) {
  return o && o->is_exclusive && o->is_of_several && o->is_releasing && o->is_acquiring;
}

static bool is_sorted(const struct mck_rma_section *sections, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (compare_sections(&sections[i - 1], &sections[i]) > 0) return false;
  return true;
}

void mck_section_sort(struct mck_rma_run *run) {
  struct mck_rma_section *all = run->sections;
  struct objects objects = {0};
  for (size_t i = 0; i < run->nsections && !run->is_short; i++) {
    if (!all[i].is_lock && run->is_coarse[all[i].owner]) all[i].object = element_object(all[i].owner, UINT64_MAX);
    if (!add_section(&objects, run, &all[i])) run->is_short = true;
  }
  size_t kept = 0;
  for (size_t i = 0; i < run->nsections; i++)
    if (may_order(find_object(&objects, all[i].object))) all[kept++] = all[i];
  run->nsections = kept;
  if (kept && !is_sorted(all, kept)) qsort(all, kept, sizeof *all, compare_sections);
  mck_table_free(&objects.table);
  free(objects.items);
}
