// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of one byte, from the movements that its label names, and the first of them whose source disagrees with the
// unit (FlowChecker, III-E). A movement is at fault if it took other bytes although the right ones were there: in the
// memory, the connection or the file that it read.
#include <stdlib.h>
#include <string.h>
#include "flow/route-run.h"

enum { CHAIN_MAX = 256, SEARCHES_MAX = 64 };

// A place of a byte: an address in a process, or a place in a space.
struct spot {
  bool is_known, is_memory;
  uint32_t rank, space;
  uint64_t at;
};

// As an address of this rank; UINT64_MAX: none.
static uint64_t address_of(const struct mck_route_walk *w, const struct spot *spot, uint32_t rank, uint64_t time) {
  if (!spot->is_known || !spot->is_memory) return UINT64_MAX;
  if (spot->rank == rank) return spot->at;
  uint64_t at, address;
  uint32_t space = mck_spaces_at(w->spaces, spot->rank, time, spot->at, &at);
  if (mck_spaces_is_private(w->spaces, space)) return UINT64_MAX;
  address = mck_spaces_address(w->spaces, rank, time, space, at);
  return address ? address : UINT64_MAX;
}

static uint32_t space_of(const struct mck_route_walk *w, const struct spot *spot, uint64_t time) {
  uint64_t at;
  if (!spot->is_known) return MCK_SPACE_NONE;
  return spot->is_memory ? mck_spaces_at(w->spaces, spot->rank, time, spot->at, &at) : spot->space;
}

static uint32_t rank_of_process(const struct mck_routes *r, uint32_t near, uint64_t pid) {
  for (uint32_t rank = 0; rank < r->nranks; rank++)
    if (r->traces[rank].header && r->hosts[rank] == r->hosts[near] && r->traces[rank].header->pid == pid) return rank;
  return UINT32_MAX;
}

// Which copy of a run wrote this address.
static uint64_t copy_in_run(const struct mck_trace_slot *s, uint64_t address) {
  const struct mck_trace_run *run = (const struct mck_trace_run *)(s + 1);
  int64_t distance = (int64_t)(address - (s->to & MCK_TRACE_ADDRESS)), length = (int64_t)mck_trace_length(s);
  if (run->to_step == 0) return 0;
  int64_t k = distance / run->to_step;
  for (int64_t j = k - 1; j <= k + 1; j++)
    if (j >= 0 && (uint64_t)j < run->count && distance >= j * run->to_step && distance < j * run->to_step + length)
      return (uint64_t)j;
  return run->count;
}

// Fills in a step that wrote the byte at *spot, and moves *spot to where the step took it from.
static void go_back(const struct mck_route_walk *w, uint64_t move, uint16_t fn, struct mck_route_step *step,
                    struct spot *spot) {
  uint32_t rank = (uint32_t)(move >> 32);
  const struct mck_trace_slot *s = mck_route_slot(w->routes, rank, (uint32_t)move);
  static const uint8_t kinds[] = {
      [MCK_TRACE_COPY] = MCK_MOVE_COPY,   [MCK_TRACE_RUN] = MCK_MOVE_COPY,        [MCK_TRACE_MISCOPY] = MCK_MOVE_COPY,
      [MCK_TRACE_SEND] = MCK_MOVE_SEND,   [MCK_TRACE_RECEIVE] = MCK_MOVE_RECEIVE, [MCK_TRACE_VM_READ] = MCK_MOVE_VM,
      [MCK_TRACE_VM_WRITE] = MCK_MOVE_VM, [MCK_TRACE_READ] = MCK_MOVE_READ,       [MCK_TRACE_WRITE] = MCK_MOVE_WRITE};
  enum mck_trace_kind kind = mck_trace_kind(s);
  uint64_t from = s->from & MCK_TRACE_ADDRESS, to = s->to & MCK_TRACE_ADDRESS, length = mck_trace_length(s);
  const struct mck_trace_stream *stream = (const struct mck_trace_stream *)(s + 1);
  const struct mck_trace_object *object = (const struct mck_trace_object *)(s + 1);
  struct spot before = {.is_known = spot->is_known, .is_memory = true, .rank = rank};
  uint64_t here = UINT64_MAX;
  if (kind == MCK_TRACE_SEND) to = stream->position, here = spot->is_memory ? UINT64_MAX : spot->at;
  else if (kind == MCK_TRACE_WRITE) to = object->offset, here = spot->is_memory ? UINT64_MAX : spot->at;
  else
    here = address_of(w, spot, kind == MCK_TRACE_VM_WRITE ? rank_of_process(w->routes, rank, s[1].time) : rank,
                      s->time);
  if (kind == MCK_TRACE_RUN && here != UINT64_MAX) {
    const struct mck_trace_run *run = (const struct mck_trace_run *)(s + 1);
    uint64_t k = copy_in_run(s, here);
    if (k < run->count) from += (uint64_t)run->from_step * k, to += (uint64_t)run->to_step * k;
  }
  if (kind == MCK_TRACE_RECEIVE)
    from = stream->position, before.is_memory = false,
    before.space = mck_spaces_stream(w->spaces, rank, stream->socket, false);
  if (kind == MCK_TRACE_READ) {
    from = object->offset, before.is_memory = false;
    before.space = mck_spaces_object(w->spaces, w->routes->hosts[rank], object->device, object->inode);
  }
  if (kind == MCK_TRACE_VM_READ) before.rank = rank_of_process(w->routes, rank, s[1].time);
  before.is_known &= here >= to && here - to < length && before.rank != UINT32_MAX;
  uint64_t offset = before.is_known ? here - to : 0;
  before.at = from + offset;
  *step = (struct mck_route_step){.rank = rank,
                                  .kind = kinds[kind],
                                  .fn = fn,
                                  .time = s->time,
                                  .from = from + offset,
                                  .to = to + offset,
                                  .length = length,
                                  .offset = offset,
                                  .caller = s->caller & MCK_TRACE_ADDRESS,
                                  .callee = kind == MCK_TRACE_MISCOPY ? s[1].time : 0};
  *spot = before;
}

// --- the bytes that should have come ---
struct search {
  const struct mck_route_walk *walk;
  const struct mck_route_unit *unit;
  uint64_t address;       // of the byte, at the source
  const uint32_t *spaces; // those that are asked for
  unsigned nspaces;
  bool there[MCK_ROUTE_STEPS];
  uint32_t space; // where it came last, and
  uint64_t at, time;
  struct mck_label label;
};

static bool is_it(void *context, uint32_t space, uint64_t at, uint64_t length, const struct mck_label *label) {
  struct search *s = context;
  const struct mck_route_end *source = &s->unit->source;
  if (label->rank != source->rank || s->address - label->address >= length) return true;
  if (label->time < source->begin || (source->until && label->time > source->until)) return true;
  for (unsigned i = 0; i < s->nspaces; i++) s->there[i] |= s->spaces[i] == space;
  const struct mck_trace_slot *slot = mck_route_slot(s->walk->routes, (uint32_t)(label->move >> 32),
                                                     (uint32_t)label->move);
  if (s->space != MCK_SPACE_NONE && slot->time <= s->time) return true;
  s->space = space, s->at = at + (s->address - label->address), s->time = slot->time, s->label = *label;
  return true;
}

static unsigned read_chain(const struct mck_route_walk *w, uint32_t node, struct mck_route_node *chain) {
  unsigned n = 0;
  for (; node != MCK_ROUTE_NO_NODE && n < CHAIN_MAX; node = w->nodes[node].before) chain[n++] = w->nodes[node];
  return n;
}

// The steps of a chain, the last ones if they are too many. spaces[i]: what step i read.
static void write_steps(const struct mck_route_walk *w, const struct mck_route_node *chain, unsigned n,
                        struct spot spot, struct mck_route *answer, uint32_t *spaces) {
  answer->nsteps = n < MCK_ROUTE_STEPS ? n : MCK_ROUTE_STEPS;
  for (unsigned i = 0; i < answer->nsteps; i++) {
    unsigned place = answer->nsteps - 1 - i;
    go_back(w, chain[i].move, chain[i].fn, &answer->steps[place], &spot);
    spaces[place] = space_of(w, &spot, answer->steps[place].time);
  }
}

// --- what was read of the source ---
struct reads {
  const struct mck_route_unit *unit;
  char *is_read;
  uint64_t missing; // bytes
};

static void note_read(struct reads *r, uint64_t address, uint64_t length) {
  uint64_t low = address > r->unit->source.address ? address - r->unit->source.address : 0;
  uint64_t high = address + length > r->unit->source.address ? address + length - r->unit->source.address : 0;
  if (high > r->unit->length) high = r->unit->length;
  for (; low < high; low++)
    if (!r->is_read[low]) r->is_read[low] = 1, r->missing--;
}

static void note_reads(const struct mck_routes *routes, struct reads *r, const struct mck_route_event *e) {
  const struct mck_trace_slot *s = mck_route_slot(routes, e->rank, e->index);
  enum mck_trace_kind kind = mck_trace_kind(s);
  uint64_t from = s->from & MCK_TRACE_ADDRESS, length = mck_trace_length(s);
  bool is_own = e->rank == r->unit->source.rank;
  if (e->kind == MCK_ROUTE_RUN_END && is_own) {
    const struct mck_trace_run *run = (const struct mck_trace_run *)(s + 1);
    for (uint64_t k = 0; k < run->count; k++) note_read(r, from + (uint64_t)run->from_step * k, length);
  } else if (kind == MCK_TRACE_VM_READ && e->kind == MCK_ROUTE_RECORD) {
    if (rank_of_process(routes, e->rank, s[1].time) == r->unit->source.rank) note_read(r, from, length);
  } else if (e->kind == MCK_ROUTE_RECORD && is_own &&
             (kind == MCK_TRACE_COPY || kind == MCK_TRACE_SEND || kind == MCK_TRACE_VM_WRITE ||
              kind == MCK_TRACE_WRITE))
    note_read(r, from, length);
}

// Was every byte of the source read within its window? true also where that is not known.
static bool is_all_read(const struct mck_routes *routes, const struct mck_route_unit *u) {
  enum { LENGTH_MAX = 16 << 20 };
  const struct mck_route_events *events = &routes->events[routes->hosts[u->source.rank]];
  struct reads r = {u, u->length <= LENGTH_MAX ? calloc(u->length, 1) : NULL, u->length};
  size_t low = 0, high = events->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (events->items[middle].time < u->source.begin) low = middle + 1;
    else high = middle;
  }
  for (; r.is_read && low < events->count && r.missing; low++) {
    if (u->source.until && events->items[low].time > u->source.until) break;
    note_reads(routes, &r, &events->items[low]);
  }
  bool is_all = !r.is_read || !r.missing;
  free(r.is_read);
  return is_all;
}

// --- who is at fault ---
// spaces[i]: what step i read; there[i]: the right byte is in it. is_whole: steps[0] read the origin.
static int find_fault(const struct mck_route_walk *w, const struct mck_route *answer, const bool *there, bool is_whole,
                      const struct mck_route_unit *unit) {
  for (unsigned i = 0; i < answer->nsteps; i++)
    if (answer->steps[i].callee) return (int)i;
  // The first movement reads too late, or something else: a part of the source was never read.
  if (answer->reason == MCK_ROUTE_LATE || !is_all_read(w->routes, unit)) return is_whole && answer->nsteps ? 0 : -1;
  for (unsigned i = answer->nsteps; i-- > (is_whole ? 1 : 0);)
    if (there[i]) return (int)i;
  return -1;
}

// BROKEN: how far the byte came that was sent. A place in shared memory is an address of who wrote there.
static void explain_broken(struct mck_route_walk *w, struct search *search, struct mck_route *answer,
                           struct mck_route_node *chain) {
  uint32_t spaces[MCK_ROUTE_STEPS];
  mck_byte_map_each(w->map, is_it, search);
  if (search->space == MCK_SPACE_NONE) return;
  unsigned n = read_chain(w, search->label.node, chain);
  bool is_private = mck_spaces_is_private(w->spaces, search->space);
  struct spot spot = {true, is_private, search->space, search->space, search->at};
  uint32_t rank = n ? (uint32_t)(chain[0].move >> 32) : 0;
  uint64_t address = n ? mck_spaces_address(w->spaces, rank, search->time, search->space, search->at) : 0;
  if (!is_private && address) spot = (struct spot){true, true, rank, 0, address};
  write_steps(w, chain, n, spot, answer, spaces);
}

static void explain_wrong(struct mck_route_walk *w, struct search *search, struct mck_route *answer,
                          struct mck_route_node *chain, uint32_t node) {
  uint32_t spaces[MCK_ROUTE_STEPS];
  unsigned n = read_chain(w, node, chain);
  struct spot spot = {true, true, search->unit->dest.rank, 0, search->unit->dest.address + answer->position};
  write_steps(w, chain, n, spot, answer, spaces);
  search->spaces = spaces, search->nspaces = answer->nsteps;
  mck_byte_map_each(w->map, is_it, search);
  bool is_whole = n && n <= MCK_ROUTE_STEPS && chain[n - 1].before == MCK_ROUTE_NO_NODE;
  answer->fault = find_fault(w, answer, search->there, is_whole, search->unit);
}

void mck_route_explain(struct mck_route_walk *w, const struct mck_route_unit *u, struct mck_route *answer,
                       const struct mck_label *label) {
  if (w->nsearches++ >= SEARCHES_MAX) return; // each one looks at all there is
  struct mck_route_node *chain = calloc(CHAIN_MAX, sizeof *chain);
  struct search search = {
      .walk = w, .unit = u, .address = u->source.address + answer->position, .space = MCK_SPACE_NONE};
  if (!chain) w->is_short = true;
  else if (answer->verdict == MCK_ROUTE_BROKEN) explain_broken(w, &search, answer, chain);
  else explain_wrong(w, &search, answer, chain, label->node);
  free(chain);
}
