// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a movement does to the labels (FlowChecker, III-D): each piece of its source keeps its label at the destination.
// A piece without a label is an origin. A piece of shared memory without one came there unseen.
#include <stdlib.h>
#include "flow/route-run.h"
#include "uthash.h"

// What a run has read when it began, if others can change it meanwhile.
struct mck_route_reads {
  uint64_t move, hash;
  UT_hash_handle hh;
};

// --- the source ---
struct taking {
  struct mck_route_walk *walk;
  uint64_t time, offset; // offset: in the movement, of the piece
  uint64_t at;           // of the piece, in its space
  uint64_t address;      // of the piece, where it is private memory
  uint32_t rank, space;
};

static bool take_label(void *context, uint64_t at, uint64_t length, const struct mck_label *label) {
  struct taking *t = context;
  struct mck_route_part part = {t->offset + (at - t->at), length, {0}};
  if (label) part.label = *label;
  else {
    bool is_origin = mck_spaces_is_private(t->walk->spaces, t->space);
    part.label = (struct mck_label){
        .address = at, .time = t->time, .rank = is_origin ? t->space : MCK_LABEL_UNSEEN, .node = MCK_ROUTE_NO_NODE};
  }
  struct mck_route_walk *w = t->walk;
  if (!MCK_PUSH(w->parts, w->nparts, w->parts_capacity, part)) return w->is_short = true, false;
  return true;
}

static bool take_piece(void *context, uint32_t space, uint64_t at, uint64_t length) {
  struct taking *t = context;
  t->space = space, t->at = at;
  bool goes_on = mck_byte_map_visit(t->walk->map, space, at, length, take_label, t);
  t->offset += length;
  return goes_on;
}

static void take_memory(struct mck_route_walk *w, uint32_t rank, uint64_t address, uint64_t length, uint64_t time,
                        uint64_t offset) {
  struct taking t = {.walk = w, .time = time, .offset = offset, .rank = rank};
  mck_spaces_pieces(w->spaces, rank, address, length, take_piece, &t);
}

static void take_space(struct mck_route_walk *w, uint32_t space, uint64_t at, uint64_t length, uint64_t time) {
  struct taking t = {.walk = w, .time = time};
  if (space != MCK_SPACE_NONE) take_piece(&t, space, at, length);
  else if (!MCK_PUSH(w->parts, w->nparts, w->parts_capacity,
                     ((struct mck_route_part){0, length, {.rank = MCK_LABEL_UNSEEN, .node = MCK_ROUTE_NO_NODE}})))
    w->is_short = true;
}

// --- the destination ---
// Parts that have the same way behind them have the same way with this movement.
static void add_nodes(struct mck_route_walk *w, uint64_t move, uint16_t fn, uint32_t flags) {
  uint32_t before = MCK_ROUTE_NO_NODE, node = MCK_ROUTE_NO_NODE;
  for (size_t i = 0; i < w->nparts; i++) {
    struct mck_label *l = &w->parts[i].label;
    l->move = move, l->flags |= flags;
    if (i == 0 || l->node != before) {
      before = l->node, node = MCK_ROUTE_NO_NODE;
      struct mck_route_node new = {move, before, fn};
      if (w->nnodes < MCK_ROUTE_NODES_MAX) {
        node = (uint32_t)w->nnodes;
        if (!MCK_PUSH(w->nodes, w->nnodes, w->nodes_capacity, new)) w->is_short = true;
      }
    }
    l->node = node;
  }
}

struct giving {
  struct mck_route_walk *walk;
  uint64_t offset; // in the movement, of the piece
};
static bool give_piece(void *context, uint32_t space, uint64_t at, uint64_t length) {
  struct giving *g = context;
  struct mck_route_walk *w = g->walk;
  for (size_t i = 0; i < w->nparts; i++) {
    const struct mck_route_part *p = &w->parts[i];
    uint64_t low = p->offset > g->offset ? p->offset : g->offset;
    uint64_t high = p->offset + p->length < g->offset + length ? p->offset + p->length : g->offset + length;
    if (low >= high) continue;
    struct mck_label label = p->label;
    label.address += low - p->offset;
    if (!mck_byte_map_set(w->map, space, at + (low - g->offset), high - low, &label)) return w->is_short = true, false;
  }
  g->offset += length;
  return true;
}
static void give_memory(struct mck_route_walk *w, uint32_t rank, uint64_t address, uint64_t length) {
  struct giving g = {w, 0};
  mck_spaces_pieces(w->spaces, rank, address, length, give_piece, &g);
}
static void give_space(struct mck_route_walk *w, uint32_t space, uint64_t at, uint64_t length) {
  struct giving g = {w, 0};
  if (space != MCK_SPACE_NONE) give_piece(&g, space, at, length);
}

// --- runs ---
static bool is_shared_piece(void *context, uint32_t space, uint64_t at, uint64_t length) {
  const struct mck_route_walk *w = context;
  (void)at, (void)length;
  return mck_spaces_is_private(w->spaces, space); // false ends the search
}
static bool is_shared(struct mck_route_walk *w, uint32_t rank, uint64_t address, int64_t step, uint64_t count,
                      uint64_t length) {
  uint64_t last = address + (uint64_t)step * (count - 1), low = step < 0 ? last : address;
  return !mck_spaces_pieces(w->spaces, rank, low, (step < 0 ? address : last) - low + length, is_shared_piece, w);
}

struct run {
  uint32_t rank, slot;
  uint16_t fn;
  uint64_t from, to, length, time;
  const struct mck_trace_run *is;
};
static struct run run_of(const struct mck_route_walk *w, const struct mck_route_event *e) {
  const struct mck_trace_slot *s = mck_route_slot(w->routes, e->rank, e->index);
  return (struct run){.rank = e->rank,
                      .slot = e->index,
                      .fn = e->fn,
                      .from = s->from & MCK_TRACE_ADDRESS,
                      .to = s->to & MCK_TRACE_ADDRESS,
                      .length = mck_trace_length(s),
                      .time = s->time,
                      .is = (const struct mck_trace_run *)(s + 1)};
}
static bool is_repeated(const struct run *r) { return r->is->from_step == 0 && r->is->to_step == 0; }
static uint64_t from_of(const struct run *r, uint64_t k) { return r->from + (uint64_t)r->is->from_step * k; }
static uint64_t to_of(const struct run *r, uint64_t k) { return r->to + (uint64_t)r->is->to_step * k; }

static void take_run(struct mck_route_walk *w, const struct run *r) {
  w->nparts = 0;
  for (uint64_t k = 0; k < r->is->count && !w->is_short; k++)
    take_memory(w, r->rank, from_of(r, k), r->length, r->time, k * r->length);
}
static uint64_t hash_parts(const struct mck_route_walk *w) {
  uint64_t hash = w->nparts;
  for (size_t i = 0; i < w->nparts; i++) {
    const struct mck_route_part *p = &w->parts[i];
    uint64_t words[] = {p->offset, p->length, p->label.address, p->label.move, p->label.rank};
    hash = mck_base_hash(words, sizeof words, hash);
  }
  return hash;
}

static void copy_one(struct mck_route_walk *w, const struct run *r, uint64_t k, uint64_t time, uint32_t flags) {
  w->nparts = 0;
  take_memory(w, r->rank, from_of(r, k), r->length, time, 0);
  add_nodes(w, mck_route_move(r->rank, r->slot), r->fn, flags);
  give_memory(w, r->rank, to_of(r, k), r->length);
}

// While a run is under way, nobody knows which of its copies are made. One that is repeated at its place is made when
// it begins, and when it ends.
static void begin_run(struct mck_route_walk *w, const struct mck_route_event *e) {
  struct run r = run_of(w, e);
  if (is_repeated(&r)) {
    copy_one(w, &r, 0, r.time, 0);
    return;
  }
  if (is_shared(w, r.rank, r.from, r.is->from_step, r.is->count, r.length)) {
    struct mck_route_reads *reads = calloc(1, sizeof *reads);
    if (!reads) {
      w->is_short = true;
      return;
    }
    take_run(w, &r);
    reads->move = mck_route_move(r.rank, r.slot), reads->hash = hash_parts(w);
    HASH_ADD(hh, w->runs, move, sizeof reads->move, reads);
  }
  if (!is_shared(w, r.rank, r.to, r.is->to_step, r.is->count, r.length)) return;
  for (uint64_t k = 0; k < r.is->count && !w->is_short; k++) copy_one(w, &r, k, r.time, MCK_LABEL_UNSURE);
}

static void end_run(struct mck_route_walk *w, const struct mck_route_event *e) {
  struct run r = run_of(w, e);
  uint64_t move = mck_route_move(r.rank, r.slot);
  uint32_t flags = 0;
  struct mck_route_reads *reads;
  HASH_FIND(hh, w->runs, &move, sizeof move, reads);
  if (reads) {
    take_run(w, &r);
    if (hash_parts(w) != reads->hash) flags = MCK_LABEL_UNSURE;
    HASH_DEL(w->runs, reads);
    free(reads);
  }
  if (is_repeated(&r)) copy_one(w, &r, 0, r.is->time, 0);
  else
    for (uint64_t k = 0; k < r.is->count && !w->is_short; k++) copy_one(w, &r, k, r.time, flags);
}

void mck_route_moves_end(struct mck_route_walk *w) {
  struct mck_route_reads *reads, *next;
  HASH_ITER(hh, w->runs, reads, next) {
    HASH_DEL(w->runs, reads);
    free(reads);
  }
}

// --- records ---
static uint32_t rank_of_process(const struct mck_routes *r, uint32_t host, uint64_t pid) {
  for (uint32_t rank = 0; rank < r->nranks; rank++)
    if (r->traces[rank].header && r->hosts[rank] == host && r->traces[rank].header->pid == pid) return rank;
  return MCK_LABEL_UNSEEN;
}

static void move_record(struct mck_route_walk *w, const struct mck_route_event *e, const struct mck_trace_slot *s) {
  uint64_t from = s->from & MCK_TRACE_ADDRESS, to = s->to & MCK_TRACE_ADDRESS, length = mck_trace_length(s);
  enum mck_trace_kind kind = mck_trace_kind(s);
  const struct mck_trace_stream *stream = (const struct mck_trace_stream *)(s + 1);
  const struct mck_trace_object *object = (const struct mck_trace_object *)(s + 1);
  uint32_t host = w->routes->hosts[e->rank], rank = e->rank, space = MCK_SPACE_NONE;
  bool is_vm = kind == MCK_TRACE_VM_READ || kind == MCK_TRACE_VM_WRITE;
  if (is_vm) rank = rank_of_process(w->routes, host, s[1].time);
  if (kind == MCK_TRACE_SEND || kind == MCK_TRACE_RECEIVE)
    space = mck_spaces_stream(w->spaces, e->rank, stream->socket, kind == MCK_TRACE_SEND);
  if (kind == MCK_TRACE_READ || kind == MCK_TRACE_WRITE)
    space = mck_spaces_object(w->spaces, host, object->device, object->inode);
  w->nparts = 0;
  if (kind == MCK_TRACE_RECEIVE) take_space(w, space, stream->position, length, s->time);
  else if (kind == MCK_TRACE_READ) take_space(w, space, object->offset, length, s->time);
  else if (kind == MCK_TRACE_VM_READ && rank == MCK_LABEL_UNSEEN) take_space(w, MCK_SPACE_NONE, 0, length, s->time);
  else take_memory(w, kind == MCK_TRACE_VM_READ ? rank : e->rank, from, length, s->time, 0);
  add_nodes(w, mck_route_move(e->rank, e->index), e->fn, kind == MCK_TRACE_MISCOPY ? MCK_LABEL_MISCOPIED : 0);
  if (kind == MCK_TRACE_SEND) give_space(w, space, stream->position, length);
  else if (kind == MCK_TRACE_WRITE) give_space(w, space, object->offset, length);
  else if (kind != MCK_TRACE_VM_WRITE) give_memory(w, e->rank, to, length);
  else if (rank != MCK_LABEL_UNSEEN) give_memory(w, rank, to, length);
  // What is received cannot be received again.
  if (kind == MCK_TRACE_RECEIVE && space != MCK_SPACE_NONE &&
      !mck_byte_map_erase(w->map, space, stream->position, length))
    w->is_short = true;
}

void mck_route_step_event(struct mck_route_walk *w, const struct mck_route_event *e) {
  const struct mck_trace_slot *s = mck_route_slot(w->routes, e->rank, e->index);
  const struct mck_trace_object *object = (const struct mck_trace_object *)(s + 1);
  uint64_t address = s->from & MCK_TRACE_ADDRESS;
  if (e->kind == MCK_ROUTE_RUN_BEGIN) begin_run(w, e);
  else if (e->kind == MCK_ROUTE_RUN_END) end_run(w, e);
  else if (mck_trace_kind(s) == MCK_TRACE_MAP)
    mck_spaces_map(w->spaces, e->rank, s->time, address, object,
                   mck_spaces_object(w->spaces, w->routes->hosts[e->rank], object->device, object->inode));
  else if (mck_trace_kind(s) == MCK_TRACE_UNMAP) mck_spaces_unmap(w->spaces, e->rank, s->time, address, s[1].time);
  else if (mck_trace_kind(s) != MCK_TRACE_SOCKET) move_record(w, e, s);
}

static bool is_missing(void *context, uint64_t at, uint64_t length, const struct mck_label *label) {
  (void)context, (void)at, (void)length;
  return label != NULL; // a gap ends the search
}
bool mck_route_is_early(const struct mck_route_walk *w, const struct mck_route_event *e) {
  const struct mck_trace_slot *s = mck_route_slot(w->routes, e->rank, e->index);
  if (e->kind != MCK_ROUTE_RECORD || mck_trace_kind(s) != MCK_TRACE_RECEIVE) return false;
  const struct mck_trace_stream *stream = (const struct mck_trace_stream *)(s + 1);
  uint32_t space = mck_spaces_stream(w->spaces, e->rank, stream->socket, false);
  return space != MCK_SPACE_NONE &&
         !mck_byte_map_visit(w->map, space, stream->position, mck_trace_length(s), is_missing, NULL);
}
