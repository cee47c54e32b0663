// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over all accesses to windows, with what is known of their bytes: what an operation took and brought back
// (CONTENT), and what the owner has seen (WINDOW_BYTES).
#include "flow/window-flow.h"
#include <stdlib.h>
#include <string.h>
#include "log/window-bytes.h"

enum { PARTS_BYTES = 256 << 20 }; // of all parts; further ones are not followed

static uint32_t find_part(struct mck_window_flow *f, uint32_t log, uint32_t win) {
  for (uint32_t i = 0; i < f->nparts; i++)
    if (f->parts[i].log == log && f->parts[i].win == win) return i;
  return MCK_NONE;
}

// The part that a process looks at.
static uint32_t new_part(struct mck_window_flow *f, uint32_t log, uint32_t id) {
  const struct mck_win_def *win = mck_rma_win(&f->run->logs[log], id);
  uint64_t bytes = 0;
  for (size_t i = 0; i < f->nparts; i++) bytes += f->parts[i].size;
  if (!win || !win->body->size || win->body->size > PARTS_BYTES - bytes) return MCK_NONE;
  struct mck_window_part p = {.log = log, .win = id, .low = win->body->base, .size = win->body->size};
  p.base = calloc(1, p.size), p.seen = calloc(1, p.size);
  if (p.base && p.seen && MCK_PUSH(f->parts, f->nparts, f->parts_capacity, p)) return (uint32_t)f->nparts - 1;
  free(p.base), free(p.seen);
  return MCK_NONE;
}

static bool has_looks(const struct mck_reader *r, uint32_t win) {
  for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k]))
    if (r->events[k].kind == MCK_EV_WINDOW_BYTES && r->events[k].looked.win == win) return true;
  return false;
}

// The part that is accessed. Where a fence has no barrier, the walk may come to operations of others before the first
// look of the owner. They count: it may have seen what they wrote.
static uint32_t part_of(struct mck_window_flow *f, uint32_t owner, uint32_t win) {
  uint32_t part = find_part(f, owner, win);
  if (part == MCK_NONE && has_looks(&f->run->logs[owner], win)) part = new_part(f, owner, win);
  if (part != MCK_NONE) return part;
  struct mck_window_part unknown = {.log = owner, .win = win, .is_off = true};
  return MCK_PUSH(f->parts, f->nparts, f->parts_capacity, unknown) ? (uint32_t)f->nparts - 1 : MCK_NONE;
}

// The bytes of a CONTENT that are known, and whose buffer was the same all the time.
static const uint8_t *bytes_of(struct mck_window_flow *f, uint32_t log, uint32_t event, bool is_received, int32_t peer,
                               uint64_t *length) {
  struct mck_flow_side side = mck_flow_find(f->run, log, event, is_received, peer);
  unsigned no = MCK_CONTENT_UNKNOWN | MCK_CONTENT_CHANGED | MCK_CONTENT_UNSEEN;
  if (!side.content || side.content->flags & no || side.content->content.chunk != MCK_CONTENT_RAW) return NULL;
  uint64_t own = mck_content_body(side.content)->length;
  if (*length && *length != own) return NULL;
  *length = own;
  return (const uint8_t *)mck_content_word(side.content);
}

// Are the blocks of the target's datatype, one after the other, the packed data?
static bool is_ordered(const struct mck_reader *r, uint32_t type) {
  if (type < MCK_TYPE_USER) return true;
  return type - MCK_TYPE_USER < r->ntypes && r->types[type - MCK_TYPE_USER].is_ordered;
}

static enum mck_window_kind kind_of(const struct mck_event *e, const struct mck_flow_operation *op, bool is_computed) {
  if (e->kind == MCK_EV_GET || (e->kind == MCK_EV_ACC && e->flags == MCK_OP_NO_OP)) return MCK_WINDOW_READ;
  if (e->kind == MCK_EV_PUT || (e->kind == MCK_EV_ACC && e->flags == MCK_OP_REPLACE)) return MCK_WINDOW_PUT;
  if (e->kind == MCK_EV_ACC && e->flags == MCK_OP_CAS) return MCK_WINDOW_SWAP;
  return is_computed && op->form != MCK_FLOW_PAIR ? MCK_WINDOW_ADD : MCK_WINDOW_STORE;
}

static void begin(struct mck_window_flow *f, struct mck_walk *w, uint32_t log) {
  const struct mck_reader *r = &f->run->logs[log];
  const struct mck_event *e = &r->events[w->at.event];
  f->now = (struct mck_window_record){.log = log, .at = w->at};
  f->packed = f->length = 0;
  bool is_operation = e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC, is_computed = false;
  if (e->kind == MCK_EV_ACC) is_computed = mck_flow_operation(&f->now.op, e->flags, mck_rma_basic(r, e->rma.type));
  f->now.kind = is_operation ? kind_of(e, &f->now.op, is_computed) : MCK_WINDOW_STORE;
  if (!is_operation || !is_ordered(r, e->rma.type)) return;
  if (e->kind != MCK_EV_GET && f->now.kind != MCK_WINDOW_READ)
    f->now.taken = bytes_of(f, log, w->at.event, false, 0, &f->length);
  if (f->now.kind == MCK_WINDOW_SWAP) f->now.compared = bytes_of(f, log, w->at.event, false, 1, &f->length);
  f->now.brought = bytes_of(f, log, w->at.event, true, 0, &f->length);
}

// A write that may have taken effect before something was read: what was read is no wonder.
static void excuse(struct mck_window_flow *f, struct mck_walk *w, uint64_t low, uint64_t high) {
  for (size_t i = 0; i < f->nsuspects; i++) {
    struct mck_window_suspect *s = &f->suspects[i];
    if (s->is_over || s->part != f->part || low >= s->high || s->low >= high) continue;
    s->is_over = mck_walk_order(w, &s->read.at, f->now.log) != MCK_ORDER_COMPLETED ||
                 mck_walk_order(w, &s->writer.at, f->now.log) != MCK_ORDER_COMPLETED;
  }
}

static void on_touched(void *context, struct mck_walk *w, uint32_t log, uint64_t low, uint64_t high) {
  struct mck_window_flow *f = context;
  f->walk = w;
  if (log != f->now.log || w->at.event != f->now.at.event || f->now.kind == MCK_WINDOW_LOOK) begin(f, w, log);
  const struct mck_access_class *class = &w->found.classes[w->at.class];
  uint64_t shift = f->packed - low;
  f->packed += high - low;
  if (class->what.kind == MCK_CONFLICT_LOAD || !w->win) return;
  f->part = part_of(f, w->owner, w->win->id);
  if (f->part == MCK_NONE || mck_window_part(f)->is_off) return;
  struct mck_window_part *p = mck_window_part(f);
  if (low < p->low) low = p->low;
  if (high > p->low + p->size) high = p->low + p->size;
  if (low >= high) return;
  if (f->packed > f->length) f->now.taken = f->now.brought = f->now.compared = NULL;
  f->now.shift = shift, f->now.begin = low;
  if (f->now.kind == MCK_WINDOW_ADD && !f->now.taken) f->now.kind = MCK_WINDOW_STORE;
  struct mck_window_range range = {low, high};
  if (f->now.kind != MCK_WINDOW_READ) {
    excuse(f, w, low, high);
    if (!MCK_PUSH(p->dirty, p->ndirty, p->dirty_capacity, range)) mck_walk_fail(w);
  }
  if (!mck_window_touch(f, low, high)) mck_walk_fail(w);
}

static int compare_ranges(const void *a, const void *b) {
  const struct mck_window_range *x = a, *y = b;
  return x->low != y->low ? (x->low < y->low ? -1 : 1) : 0;
}

// Looks at what was written, or is another than before.
static void look_at_dirty(struct mck_window_flow *f) {
  struct mck_window_part *p = mck_window_part(f);
  struct mck_window_range *ranges = p->dirty;
  size_t n = p->ndirty;
  p->dirty = NULL, p->ndirty = p->dirty_capacity = 0;
  if (n) qsort(ranges, n, sizeof *ranges, compare_ranges);
  for (size_t i = 0, next; i < n; i = next) {
    uint64_t high = ranges[i].high;
    for (next = i + 1; next < n && ranges[next].low <= high; next++)
      if (ranges[next].high > high) high = ranges[next].high;
    if (!mck_window_touch(f, ranges[i].low, high)) mck_walk_fail(f->walk);
  }
  free(ranges);
}

static void on_looked(void *context, struct mck_walk *w, uint32_t log, const struct mck_event *e) {
  struct mck_window_flow *f = context;
  f->walk = w;
  uint32_t part = find_part(f, log, e->looked.win);
  f->part = part == MCK_NONE ? new_part(f, log, e->looked.win) : part;
  if (f->part == MCK_NONE) return;
  struct mck_window_part *p = mck_window_part(f);
  bool is_first = !p->is_looked;
  p->is_looked = true;
  if (e->flags & (MCK_LOOK_LOST | MCK_LOOK_UNSEEN)) p->is_off = true;
  if (p->is_off) return;
  f->now = (struct mck_window_record){.log = log, .kind = MCK_WINDOW_LOOK, .at = w->at};
  const uint8_t *bytes = mck_window_run_bytes(e);
  struct mck_window_range all = {p->low, p->low + p->size};
  for (uint32_t i = 0; i < e->looked.n; i++) {
    struct mck_window_run run = mck_window_runs(e)[i];
    if (run.offset > p->size || run.length > p->size - run.offset) return;
    memcpy(p->seen + run.offset, bytes, run.length);
    bytes += run.length;
    struct mck_window_range range = {p->low + run.offset, p->low + run.offset + run.length};
    if (!is_first && !MCK_PUSH(p->dirty, p->ndirty, p->dirty_capacity, range)) mck_walk_fail(w);
  }
  if (is_first && !MCK_PUSH(p->dirty, p->ndirty, p->dirty_capacity, all)) mck_walk_fail(w);
  look_at_dirty(f);
}

void mck_flow_windows(struct mck_flow_run *run) {
  bool has_looks = false;
  for (size_t i = 0; i < run->n; i++)
    for (uint64_t k = 0; !has_looks && run->logs[i].nwins && k < run->logs[i].units;
         k += mck_event_units(&run->logs[i].events[k]))
      has_looks = run->logs[i].events[k].kind == MCK_EV_WINDOW_BYTES;
  if (!has_looks) return;
  struct mck_window_flow f = {.run = run, .free_record = MCK_NONE};
  f.now.log = MCK_NONE;
  struct mck_rma_observer observer = {.context = &f, .touched = on_touched, .looked = on_looked};
  if (mck_rma_observe(run->logs, run->n, run->pairs, &observer)) mck_window_report(&f);
  for (size_t i = 0; i < f.nparts; i++) {
    free(f.parts[i].base), free(f.parts[i].seen), free(f.parts[i].dirty);
    mck_intervals_free(&f.parts[i].intervals);
  }
  free(f.parts), free(f.states), free(f.records), free(f.suspects);
}
