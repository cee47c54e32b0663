// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces are opened and put in one order, and walked. Ranks of one host have one clock (a copy's time is when it began,
// which is behind the end of what it reads, trace.h). Between hosts a receive waits for what it receives.
#include "flow/route.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flow/library-symbol.h"
#include "flow/route-run.h"

// --- opening ---
struct filling {
  struct mck_routes *routes;
  uint32_t rank;
  bool is_short;
};

static bool add_event(struct filling *f, uint64_t time, uint32_t slot, uint16_t fn, enum mck_route_event_kind kind) {
  struct mck_route_events *events = &f->routes->events[f->routes->hosts[f->rank]];
  struct mck_route_event e = {time, f->rank, slot, fn, (uint8_t)kind};
  return MCK_PUSH(events->items, events->count, events->capacity, e);
}

static bool add_record(void *context, uint32_t slot, uint16_t fn) {
  struct filling *f = context;
  struct mck_routes *r = f->routes;
  const struct mck_trace_slot *s = mck_route_slot(r, f->rank, slot);
  bool is_added = true;
  switch (mck_trace_kind(s)) {
  case MCK_TRACE_CALL: break;
  case MCK_TRACE_RUN:
    is_added = add_event(f, s->time, slot, fn, MCK_ROUTE_RUN_BEGIN) &&
               add_event(f, s[1].time, slot, fn, MCK_ROUTE_RUN_END);
    break;
  case MCK_TRACE_CALLER: {
    struct mck_route_caller c = {s->from & MCK_TRACE_ADDRESS, s[1].time, f->rank, (const char *)&s[1].from};
    is_added = MCK_PUSH(r->callers, r->ncallers, r->callers_capacity, c);
    break;
  }
  case MCK_TRACE_LOST: {
    struct mck_route_loss l = {r->hosts[f->rank], s[1].time, s->time};
    is_added = MCK_PUSH(r->losses, r->nlosses, r->losses_capacity, l);
    break;
  }
  default: is_added = add_event(f, s->time, slot, fn, MCK_ROUTE_RECORD);
  }
  f->is_short |= !is_added;
  return is_added;
}

static int by_time(const void *a, const void *b) {
  const struct mck_route_event *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  if (x->kind != y->kind) return x->kind - y->kind;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

void mck_route_sort(struct mck_route_events *events) {
  if (events->count) qsort(events->items, events->count, sizeof *events->items, by_time);
}

static int by_address(const void *a, const void *b) {
  const struct mck_route_caller *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

static uint32_t host_of(struct mck_routes *r, uint32_t rank) {
  for (uint32_t other = 0; other < rank; other++)
    if (r->traces[other].header && strcmp(r->traces[other].header->host, r->traces[rank].header->host) == 0)
      return r->hosts[other];
  return r->nhosts++;
}

// A trace that is not there, or is damaged, is none.
static void load(struct mck_trace *trace, uint32_t rank, const char *dir, char *why, size_t size) {
  char path[4096];
  const char *wrong = "";
  int length = snprintf(path, sizeof path, "%s/rank-%u.flow", dir, rank);
  if (length < 0 || (size_t)length >= sizeof path) return;
  int rc = mck_trace_load(trace, path, &wrong);
  if (rc == 0 && trace->header->rank != rank) mck_trace_unload(trace), rc = EINVAL, wrong = "it is of another rank";
  if (rc && rc != ENOENT && !*why) snprintf(why, size, "%s: %s", path, wrong);
}

struct mck_routes *mck_routes_of(struct mck_trace *traces, uint32_t nranks) {
  struct mck_routes *r = calloc(1, sizeof *r);
  size_t n = nranks ? nranks : 1;
  if (!r) return NULL;
  r->nranks = nranks, r->traces = traces;
  r->hosts = calloc(n, sizeof *r->hosts);
  r->events = calloc(n, sizeof *r->events);
  bool is_good = r->hosts && r->events;
  for (uint32_t rank = 0; is_good && rank < nranks; rank++) {
    if (!traces[rank].header) continue;
    r->hosts[rank] = host_of(r, rank);
    struct filling f = {r, rank, false};
    mck_trace_walk(&traces[rank], add_record, &f);
    is_good = !f.is_short;
  }
  if (!is_good) return r->traces = NULL, mck_routes_close(r), NULL;
  for (uint32_t host = 0; host < r->nhosts; host++) mck_route_sort(&r->events[host]);
  if (r->ncallers) qsort(r->callers, r->ncallers, sizeof *r->callers, by_address);
  return r;
}

struct mck_routes *mck_routes_open(const char *dir, uint32_t nranks, char *why, size_t size) {
  struct mck_trace *traces = calloc(nranks ? nranks : 1, sizeof *traces);
  *why = 0;
  if (!traces) return NULL;
  for (uint32_t rank = 0; rank < nranks; rank++) load(&traces[rank], rank, dir, why, size);
  struct mck_routes *r = mck_routes_of(traces, nranks);
  for (uint32_t rank = 0; rank < nranks; rank++) {
    if (!r) mck_trace_unload(&traces[rank]);
    else if (traces[rank].is_damaged && !*why) snprintf(why, size, "%s/rank-%u.flow: the trace is damaged", dir, rank);
  }
  if (!r) free(traces);
  return r;
}

void mck_routes_close(struct mck_routes *r) {
  if (!r) return;
  for (uint32_t rank = 0; r->traces && rank < r->nranks; rank++) mck_trace_unload(&r->traces[rank]);
  for (uint32_t host = 0; r->events && host < r->nhosts; host++) free(r->events[host].items);
  free(r->traces), free(r->hosts), free(r->events), free(r->callers), free(r->losses), free(r);
}

bool mck_routes_place(const struct mck_routes *r, uint32_t rank, uint64_t address, const char **library,
                      uint64_t *offset) {
  struct mck_route_caller key = {.address = address, .rank = rank};
  const struct mck_route_caller *c = r->ncallers ? bsearch(&key, r->callers, r->ncallers, sizeof key, by_address)
                                                 : NULL;
  if (!c) return false;
  *library = c->path, *offset = address - c->base;
  return true;
}

bool mck_routes_name(const struct mck_routes *r, uint32_t rank, uint64_t address, bool is_call, char *text,
                     size_t size) {
  const char *path = "";
  uint64_t offset = 0;
  char name[256];
  if (!mck_routes_place(r, rank, address, &path, &offset)) return false;
  const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  if (mck_library_function(path, offset - is_call, name, sizeof name)) snprintf(text, size, "%s in %s", name, file);
  else snprintf(text, size, "%s", file);
  return true;
}

// --- walking ---
// The two ends of a unit, as events of their hosts.
static bool add_units(const struct mck_routes *r, const struct mck_route_unit *units, size_t count,
                      struct mck_route_events *events) {
  for (size_t i = 0; i < count; i++) {
    const struct mck_route_unit *u = &units[i];
    bool is_known = u->source.rank < r->nranks && u->dest.rank < r->nranks && r->traces[u->source.rank].header &&
                    r->traces[u->dest.rank].header && u->dest.until && u->source.begin && i < UINT32_MAX;
    if (!is_known) continue;
    struct mck_route_event a = {u->source.begin, u->source.rank, (uint32_t)i, 0, MCK_ROUTE_SOURCE};
    struct mck_route_event b = {u->dest.until, u->dest.rank, (uint32_t)i, 0, MCK_ROUTE_DEST};
    struct mck_route_events *at = &events[r->hosts[a.rank]], *to = &events[r->hosts[b.rank]];
    if (!MCK_PUSH(at->items, at->count, at->capacity, a) || !MCK_PUSH(to->items, to->count, to->capacity, b))
      return false;
  }
  for (uint32_t host = 0; host < r->nhosts; host++) mck_route_sort(&events[host]);
  return true;
}

// The next event of a host, of both lists; NULL: there is none.
struct place {
  size_t record, unit;
};
static const struct mck_route_event *peek(const struct mck_route_events *records, const struct mck_route_events *units,
                                          const struct place *at) {
  const struct mck_route_event *a = at->record < records->count ? &records->items[at->record] : NULL;
  const struct mck_route_event *b = at->unit < units->count ? &units->items[at->unit] : NULL;
  if (!a || !b) return a ? a : b;
  return by_time(a, b) <= 0 ? a : b;
}

static void take(struct mck_route_walk *walk, const struct mck_route_event *e, struct place *at) {
  if (e->kind == MCK_ROUTE_SOURCE) mck_route_source_event(walk, &walk->units[e->index]);
  else if (e->kind == MCK_ROUTE_DEST) mck_route_dest_event(walk, e->index);
  else mck_route_step_event(walk, e);
  if (e->kind == MCK_ROUTE_SOURCE || e->kind == MCK_ROUTE_DEST) at->unit++;
  else at->record++;
}

// One host: in the order of its clock. Several: each goes on until it would receive what was not sent yet.
static void walk_all(struct mck_route_walk *walk, const struct mck_route_events *units, struct place *at) {
  const struct mck_routes *r = walk->routes;
  for (bool is_forced = false, is_over = false; !is_over && !walk->is_short;) {
    bool has_moved = false;
    is_over = true;
    for (uint32_t host = 0; host < r->nhosts; host++) {
      const struct mck_route_event *e;
      while ((e = peek(&r->events[host], &units[host], &at[host])) && !walk->is_short &&
             (r->nhosts == 1 || is_forced || !mck_route_is_early(walk, e))) {
        take(walk, e, &at[host]);
        has_moved = true, is_forced = false;
      }
      if (e) is_over = false;
    }
    is_forced = !has_moved; // what it receives was never seen being sent
  }
}

static bool add_sockets(const struct mck_routes *r, struct mck_spaces *spaces) {
  for (uint32_t host = 0; host < r->nhosts; host++)
    for (size_t i = 0; i < r->events[host].count; i++) {
      const struct mck_route_event *e = &r->events[host].items[i];
      const struct mck_trace_slot *s = mck_route_slot(r, e->rank, e->index);
      if (mck_trace_kind(s) == MCK_TRACE_SOCKET &&
          !mck_spaces_add_socket(spaces, e->rank, s->time, (const struct mck_trace_socket *)(s + 1)))
        return false;
    }
  mck_spaces_connect(spaces);
  return true;
}

// Before the walk: what cannot be answered.
static void begin_answers(const struct mck_routes *r, const struct mck_route_unit *units, size_t count,
                          struct mck_route *answers) {
  for (size_t i = 0; i < count; i++) {
    const struct mck_route_end *a = &units[i].source, *b = &units[i].dest;
    bool has_traces = a->rank < r->nranks && b->rank < r->nranks && r->traces[a->rank].header &&
                      r->traces[b->rank].header && !r->traces[a->rank].is_damaged && !r->traces[b->rank].is_damaged;
    answers[i] = (struct mck_route){
        .verdict = MCK_ROUTE_HIDDEN, .reason = has_traces ? MCK_ROUTE_NO_WINDOW : MCK_ROUTE_NO_TRACE, .fault = -1};
  }
}

bool mck_routes_find(struct mck_routes *r, const struct mck_route_unit *units, size_t count,
                     struct mck_route *answers) {
  begin_answers(r, units, count, answers);
  struct mck_route_walk walk = {.routes = r, .units = units, .nunits = count, .answers = answers};
  struct mck_route_events *events = calloc(r->nhosts ? r->nhosts : 1, sizeof *events);
  struct place *at = calloc(r->nhosts ? r->nhosts : 1, sizeof *at);
  walk.spaces = mck_spaces_open(r->nranks);
  walk.map = mck_byte_map_open();
  walk.index = mck_unit_index_open(units, count);
  walk.is_short = !events || !at || !walk.spaces || !walk.map || !walk.index || !add_units(r, units, count, events) ||
                  !add_sockets(r, walk.spaces);
  if (!walk.is_short) walk_all(&walk, events, at);
  for (uint32_t host = 0; events && host < r->nhosts; host++) free(events[host].items);
  free(events), free(at), free(walk.nodes), free(walk.parts);
  mck_route_moves_end(&walk);
  mck_unit_index_close(walk.index);
  mck_byte_map_close(walk.map);
  mck_spaces_close(walk.spaces);
  return !walk.is_short;
}
