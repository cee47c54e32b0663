// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer for a unit (FlowChecker, III-E): the labels of its destination are compared with its source.
#include <stdlib.h>
#include "flow/route-run.h"

// --- which buffers MPI has ---
// Ends of all units, by rank and address; reach: the largest end of those before.
struct buffer {
  uint32_t rank;
  uint64_t low, high, reach;
  uint64_t begin, until;
};
struct mck_unit_index {
  struct buffer *buffers;
  size_t count;
};

static int by_place(const void *a, const void *b) {
  const struct buffer *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->low < y->low ? -1 : x->low > y->low;
}

struct mck_unit_index *mck_unit_index_open(const struct mck_route_unit *units, size_t count) {
  struct mck_unit_index *index = calloc(1, sizeof *index);
  if (!index || !(index->buffers = calloc(count ? 2 * count : 1, sizeof *index->buffers))) return free(index), NULL;
  for (size_t i = 0; i < count; i++) {
    const struct mck_route_end *ends[] = {&units[i].source, &units[i].dest};
    for (int k = 0; k < 2; k++) {
      const struct mck_route_end *e = ends[k];
      index->buffers[index->count++] = (struct buffer){.rank = e->rank,
                                                       .low = e->address,
                                                       .high = e->address + units[i].length,
                                                       .begin = e->begin,
                                                       .until = e->until ? e->until : UINT64_MAX};
    }
  }
  qsort(index->buffers, index->count, sizeof *index->buffers, by_place);
  for (size_t i = 0; i < index->count; i++) {
    struct buffer *b = &index->buffers[i];
    bool has_before = i > 0 && b[-1].rank == b->rank;
    b->reach = has_before && b[-1].reach > b->high ? b[-1].reach : b->high;
  }
  return index;
}

void mck_unit_index_close(struct mck_unit_index *index) {
  if (index) free(index->buffers);
  free(index);
}

// The first of these bytes that was in a buffer of MPI at this time; length: none.
static uint64_t first_in_buffer(const struct mck_unit_index *index, uint32_t rank, uint64_t address, uint64_t length,
                                uint64_t time) {
  size_t a = 0, b = index->count;
  uint64_t first = length;
  while (a < b) { // the first buffer that begins behind the bytes
    size_t middle = (a + b) / 2;
    const struct buffer *m = &index->buffers[middle];
    if (m->rank < rank || (m->rank == rank && m->low < address + length)) a = middle + 1;
    else b = middle;
  }
  for (; a > 0 && index->buffers[a - 1].rank == rank && index->buffers[a - 1].reach > address; a--) {
    const struct buffer *m = &index->buffers[a - 1];
    uint64_t from = m->low > address ? m->low - address : 0;
    if (address < m->high && m->begin <= time && time <= m->until && from < first) first = from;
  }
  return first;
}

// The first that lies beside an end, where a wrong offset or a wrong type leads to. Farther away it may be a buffer of
// the library.
static uint64_t first_beside(const struct mck_route_end *end, uint64_t unit, uint32_t rank, uint64_t address,
                             uint64_t length) {
  uint64_t reach = unit < 64 ? 64 : unit, low = end->address > reach ? end->address - reach : 0;
  if (rank != end->rank || address >= end->address + unit + reach || address + length <= low) return length;
  return low > address ? low - address : 0;
}

// --- the source ---
static bool forget(void *context, uint32_t space, uint64_t at, uint64_t length) {
  struct mck_route_walk *w = context;
  if (!mck_byte_map_erase(w->map, space, at, length)) w->is_short = true;
  return true;
}
void mck_route_source_event(struct mck_route_walk *w, const struct mck_route_unit *u) {
  mck_spaces_pieces(w->spaces, u->source.rank, u->source.address, u->length, forget, w);
}

// --- the destination ---
struct look {
  struct mck_route_walk *walk;
  const struct mck_route_unit *unit;
  struct mck_route *answer;
  uint64_t position, at;  // of the piece: in the unit, in its space
  struct mck_label label; // at the answer's position
};

// Of bytes that come from their place in the source.
static enum mck_route_reason judge_time(const struct mck_route_unit *u, const struct mck_label *label) {
  if (label->time < u->source.begin) return MCK_ROUTE_STALE;
  if (u->source.until && label->time > u->source.until) return MCK_ROUTE_LATE;
  return label->flags & MCK_LABEL_MISCOPIED ? MCK_ROUTE_MISCOPIED : MCK_ROUTE_NO_REASON;
}

// Of bytes that come from elsewhere: the first that is known to be data of the program. The others may come from a
// buffer of the library, filled by an inlined copy.
static uint64_t first_known(const struct look *l, const struct mck_label *label, uint64_t length) {
  const struct mck_route_unit *u = l->unit;
  uint64_t first[] = {first_in_buffer(l->walk->index, label->rank, label->address, length, label->time),
                      first_beside(&u->source, u->length, label->rank, label->address, length),
                      first_beside(&u->dest, u->length, label->rank, label->address, length)};
  for (int i = 1; i < 3; i++)
    if (first[i] < first[0]) first[0] = first[i];
  return first[0];
}

static uint64_t written_at(const struct mck_route_walk *w, const struct mck_label *label) {
  const struct mck_trace_slot *s = mck_route_slot(w->routes, (uint32_t)(label->move >> 32), (uint32_t)label->move);
  return mck_trace_kind(s) == MCK_TRACE_RUN ? ((const struct mck_trace_run *)(s + 1))->time : s->time;
}

// The worst verdict counts, and of that the first byte.
static void say(struct look *l, enum mck_route_verdict verdict, enum mck_route_reason reason, uint64_t position,
                const struct mck_label *label, uint64_t offset) {
  static const int ranks[] = {
      [MCK_ROUTE_SEEN] = 0, [MCK_ROUTE_HIDDEN] = 1, [MCK_ROUTE_BROKEN] = 2, [MCK_ROUTE_WRONG] = 3};
  if (ranks[verdict] <= ranks[l->answer->verdict]) return;
  l->answer->verdict = (uint8_t)verdict, l->answer->reason = (uint8_t)reason;
  l->answer->position = position + offset;
  l->label = label ? *label : (struct mck_label){.node = MCK_ROUTE_NO_NODE, .rank = MCK_LABEL_UNSEEN};
  l->label.address += offset;
}

static void judge_piece(struct look *l, uint64_t position, uint64_t length, const struct mck_label *label) {
  const struct mck_route_unit *u = l->unit;
  if (!label || written_at(l->walk, label) < u->dest.begin) {
    say(l, MCK_ROUTE_BROKEN, MCK_ROUTE_NO_REASON, position, label, 0);
  } else if (label->flags & MCK_LABEL_UNSURE) {
    say(l, MCK_ROUTE_HIDDEN, MCK_ROUTE_UNORDERED, position, label, 0);
  } else if (label->rank == MCK_LABEL_UNSEEN) {
    say(l, MCK_ROUTE_HIDDEN, MCK_ROUTE_UNSEEN_STEP, position, label, 0);
  } else if (label->rank == u->source.rank && label->address == u->source.address + position) {
    enum mck_route_reason reason = judge_time(u, label);
    if (reason != MCK_ROUTE_NO_REASON) say(l, MCK_ROUTE_WRONG, reason, position, label, 0);
  } else {
    uint64_t first = first_known(l, label, length);
    say(l, MCK_ROUTE_HIDDEN, MCK_ROUTE_UNSEEN_STEP, position, label, 0);
    if (first < length)
      say(l, MCK_ROUTE_WRONG, label->rank == u->source.rank ? MCK_ROUTE_OTHER_PLACE : MCK_ROUTE_OTHER_RANK, position,
          label, first);
  }
}

static bool look_at(void *context, uint64_t at, uint64_t length, const struct mck_label *label) {
  struct look *l = context;
  judge_piece(l, l->position + (at - l->at), length, label);
  return true;
}
static bool look_at_piece(void *context, uint32_t space, uint64_t at, uint64_t length) {
  struct look *l = context;
  l->at = at;
  mck_byte_map_visit(l->walk->map, space, at, length, look_at, l);
  l->position += length;
  return true;
}

// Movements may be missing in the time of the unit, in any trace: through whose memory it went is not known.
static enum mck_route_reason find_gap(const struct mck_routes *r, const struct mck_route_unit *u) {
  for (uint32_t rank = 0; rank < r->nranks; rank++) {
    const struct mck_trace *t = &r->traces[rank];
    bool is_here = t->header &&
                   (r->hosts[rank] == r->hosts[u->source.rank] || r->hosts[rank] == r->hosts[u->dest.rank]);
    if (!t->header || t->is_damaged) return MCK_ROUTE_NO_TRACE;
    uint64_t end = r->hosts[rank] == r->hosts[u->dest.rank] ? u->dest.until : u->source.until;
    uint64_t stop = atomic_load(&t->header->stopped_at);
    if (is_here && t->full_at && (!end || t->full_at <= end)) return MCK_ROUTE_INCOMPLETE;
    if (is_here && stop && (!end || stop <= end)) return MCK_ROUTE_INCOMPLETE;
  }
  for (size_t i = 0; i < r->nlosses; i++) {
    const struct mck_route_loss *l = &r->losses[i];
    if (l->host == r->hosts[u->source.rank] && l->end >= u->source.begin &&
        (!u->source.until || l->begin <= u->source.until))
      return MCK_ROUTE_INCOMPLETE;
    if (l->host == r->hosts[u->dest.rank] && l->end >= u->dest.begin && l->begin <= u->dest.until)
      return MCK_ROUTE_INCOMPLETE;
  }
  return MCK_ROUTE_NO_REASON;
}

void mck_route_dest_event(struct mck_route_walk *w, size_t i) {
  const struct mck_route_unit *u = &w->units[i];
  struct mck_route *a = &w->answers[i];
  struct look l = {.walk = w, .unit = u, .answer = a, .label = {.node = MCK_ROUTE_NO_NODE}};
  *a = (struct mck_route){.verdict = MCK_ROUTE_SEEN, .fault = -1};
  mck_spaces_pieces(w->spaces, u->dest.rank, u->dest.address, u->length, look_at_piece, &l);
  if (a->verdict == MCK_ROUTE_SEEN) return;
  enum mck_route_reason gap = a->verdict == MCK_ROUTE_HIDDEN ? MCK_ROUTE_NO_REASON : find_gap(w->routes, u);
  if (gap != MCK_ROUTE_NO_REASON) a->verdict = MCK_ROUTE_HIDDEN, a->reason = (uint8_t)gap;
  if (a->verdict == MCK_ROUTE_HIDDEN) return;
  if (a->verdict == MCK_ROUTE_WRONG)
    a->origin_rank = l.label.rank, a->origin_address = l.label.address, a->origin_time = l.label.time;
  mck_route_explain(w, u, a, &l.label);
}
