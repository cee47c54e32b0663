// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races on window memory in fence epochs, at the target (MPI-3.1 11.7). Every operation of every origin and every load
// and store of the target becomes intervals of bytes with the number of its fence epoch; intervals of one epoch that
// overlap and conflict are a race, unless messages or collectives inside the epoch may have ordered them.
//
// The sweep goes over the intervals by epoch and first byte and keeps, for each group of like ones (process, place,
// kind), the two that reach farthest: whatever overlaps any of a group overlaps one of these. O(n log n + n * groups).
// A window synchronized by anything but fences is left alone: its epochs are per pair of processes.
#include <stdlib.h>
#include <string.h>
#include "judge/window/fence-sweep.h"
#include "log/signature.h"
#include "rma/basic-type.h"

enum { PIECES_MAX = 65536, WINDOW_DYNAMIC = 3, NOPUT = 4, NOSTORE = 8 };

static uint32_t find_group(struct sweep *s, const struct sweep_like *like) {
  uint64_t hash = mck_table_mix((uint64_t)like->site << 32 | (uint32_t)like->rank,
                                (uint64_t)like->fn << 32 | (uint64_t)like->kind << 16 | like->op << 1 |
                                    (uint64_t)like->is_freed << 32 | like->is_marked);
  hash = mck_table_mix(hash, like->basic);
  uint32_t at, id;
  MCK_TABLE_EACH (&s->group_table, hash, at, id) {
    const struct sweep_like *g = &s->groups[id].like;
    if (g->kind == like->kind && g->op == like->op && g->is_marked == like->is_marked &&
        g->is_freed == like->is_freed && g->fn == like->fn && g->rank == like->rank && g->site == like->site &&
        g->basic == like->basic)
      return id;
  }
  struct sweep_group new = {.like = *like};
  if (!MCK_PUSH(s->groups, s->ngroups, s->groups_capacity, new) ||
      !mck_table_add(&s->group_table, hash, (uint32_t)s->ngroups - 1))
    s->is_short = true;
  return (uint32_t)s->ngroups - 1;
}

static void add(struct sweep *s, uint64_t low, uint64_t length, uint32_t epoch, uint32_t event, uint32_t group) {
  if (!length || low + length < low) return;
  struct sweep_interval i = {low, low + length, epoch, event, group};
  if (!s->is_short && !MCK_PUSH(s->items, s->count, s->capacity, i)) s->is_short = true;
}

// Does the target have these bytes in that epoch? (MPI-3.1 11.3.1; of a dynamic window 11.2.4)
static bool is_there(const struct sweep *s, uint64_t low, uint64_t length, uint32_t epoch) {
  uint64_t size = s->win->body->size;
  if (s->is_dynamic)
    return mck_spells_ask(&s->spells, low, low + length, sweep_begin_of(s, epoch), sweep_end_of(s, epoch)) ==
           MCK_SPELL_THERE;
  return length <= size && low <= size - length;
}

// The bytes at the target: disp displacement units behind the base, count copies of the type's blocks (MPI-3.1 11.3.1).
static void add_op(struct sweep *s, const struct mck_delivery *from, uint32_t epoch, uint64_t disp, uint64_t count,
                   uint32_t type, uint32_t event, const struct sweep_like *like) {
  struct mck_type_body body;
  struct mck_block whole, *blocks = &whole;
  uint32_t nblocks = 1;
  if (type < MCK_TYPE_USER) {
    // Pairs have gaps in and behind them that depend on the compiler.
    if (count > 1 && (type == MCK_BASIC_DOUBLE_INT || type == MCK_BASIC_LONG_INT || type == MCK_BASIC_SHORT_INT ||
                      type == MCK_BASIC_LONG_DOUBLE_INT))
      return;
    uint64_t bytes = mck_basic_bytes(type);
    whole = (struct mck_block){0, bytes};
    body = (struct mck_type_body){bytes, 0, (int64_t)bytes};
  } else if (type - MCK_TYPE_USER < from->ntypes) {
    const struct mck_type_def *def = &from->types[type - MCK_TYPE_USER];
    if (def->nblocks == MCK_NONE) return;
    body = *def->body;
    nblocks = def->nblocks;
    blocks = (struct mck_block *)def->blocks;
  } else return;
  uint64_t base;
  if (!nblocks || !count || __builtin_mul_overflow(disp, (uint64_t)s->win->disp_unit, &base) || base > INT64_MAX)
    return;
  const struct mck_fence *opening = sweep_fence_of(s, epoch, false);
  if (opening && opening->assertion & NOPUT && blocks[0].length && sweep_is_writing(like))
    sweep_say_lie(s, opening, "MPI_MODE_NOPUT", like);
  if (nblocks == 1 && body.extent > 0 && (uint64_t)body.extent == blocks[0].length) { // one piece however many
    uint64_t length;
    if (blocks[0].offset < 0 || __builtin_mul_overflow(count, blocks[0].length, &length)) return;
    uint64_t low = base + (uint64_t)blocks[0].offset;
    if (length && !is_there(s, low, length, epoch)) sweep_say_stray(s, low, length, epoch, like);
    else add(s, low, length, epoch, event, find_group(s, like));
    return;
  }
  if (count > PIECES_MAX || count * nblocks > PIECES_MAX) return;
  uint32_t group = find_group(s, like);
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t b = 0; b < nblocks; b++) {
      int64_t low;
      if (__builtin_mul_overflow((int64_t)i, body.extent, &low) || __builtin_add_overflow(low, (int64_t)base, &low) ||
          __builtin_add_overflow(low, blocks[b].offset, &low))
        continue;
      if (low < 0 || !is_there(s, (uint64_t)low, blocks[b].length, epoch)) {
        sweep_say_stray(s, (uint64_t)low, blocks[b].length, epoch, like);
        return;
      }
      add(s, (uint64_t)low, blocks[b].length, epoch, event, group);
    }
}

static void add_access(struct sweep *s, const struct mck_rma_access *access) {
  const struct mck_judge *j = s->decide->judge;
  const struct mck_event *e = &j->log->events[access->event];
  // The fence that closed the epoch knows whether something was sent after this access.
  uint32_t released = access->epoch < mck_rma_epoch(s->window)
                          ? s->window->fences[access->epoch - s->window->base].released
                          : j->released;
  struct sweep_like like = {.kind = e->flags & MCK_ACCESS_STORE ? SWEEP_STORE : SWEEP_LOAD,
                            .is_marked = released > access->event,
                            .rank = (int)j->rank,
                            .site = e->site};
  like.is_freed = e->kind == MCK_EV_ACCESS && e->flags & MCK_ACCESS_FREED;
  if (e->kind == MCK_EV_ATTACH) {
    like.kind = SWEEP_STORE, like.fn = e->fn;
    if (e->attach.size) add(s, e->attach.address, e->attach.size, access->epoch, access->event, find_group(s, &like));
    return;
  }
  if (e->flags & MCK_ACCESS_BUFFER && access->event) { // of the operation before it
    const struct mck_event *of = e - 1;
    while (of->kind == MCK_EV_ACCESS && of > j->log->events) of--;
    if (of->kind == MCK_EV_PUT || of->kind == MCK_EV_GET || of->kind == MCK_EV_ACC) like.fn = of->fn;
  }
  if (like.kind == SWEEP_LOAD && e->flags & (MCK_ACCESS_ATOMIC | MCK_ACCESS_VOLATILE))
    return; // polling (MPI-3.1 11.7, the unified model)
  uint32_t n = e->access.n;
  const struct mck_fence *closing = sweep_fence_of(s, access->epoch, true);
  if (closing && closing->assertion & NOSTORE && like.kind == SWEEP_STORE && !like.fn)
    sweep_say_lie(s, closing, "MPI_MODE_NOSTORE", &like);
  uint32_t group = find_group(s, &like);
  if (n == 1 || e->access.stride == (int64_t)e->access.size) {
    add(s, e->access.offset, (uint64_t)n * e->access.size, access->epoch, access->event, group);
    return;
  }
  for (uint32_t i = 0; n <= PIECES_MAX && i < n; i++)
    add(s, e->access.offset + (uint64_t)((int64_t)i * e->access.stride), e->access.size, access->epoch, access->event,
        group);
}

static bool is_fetching(const struct sweep_like *l) {
  return l->fn == MCK_FN_MPI_Fetch_and_op || l->fn == MCK_FN_MPI_Compare_and_swap || l->fn == MCK_FN_MPI_Get_accumulate;
}

// Accumulates of one origin come in order, unless the window's info gives that up (MPI-3.1 11.7.2).
static bool is_in_order(const struct sweep_like *first, const struct sweep_like *second, uint32_t given_up) {
  bool is_first_writing = sweep_is_writing(first), is_second_writing = sweep_is_writing(second);
  if (is_first_writing && is_second_writing && given_up & MCK_WIN_NO_WAW) return false;
  if (is_first_writing && is_fetching(second) && given_up & MCK_WIN_NO_RAW) return false;
  return !(is_fetching(first) && is_second_writing && given_up & MCK_WIN_NO_WAR);
}

// Not atomic to each other (11.7.1; rma/conflict.c says the same)? One of them writes.
static bool is_race_of_accumulates(const struct sweep_like *a, uint32_t event_a, const struct sweep_like *b,
                                   uint32_t event_b, uint32_t traits) {
  bool is_own = a->rank == b->rank;
  if (is_own && (event_a == event_b || is_in_order(event_a < event_b ? a : b, event_a < event_b ? b : a, traits)))
    return false;
  if (a->basic != b->basic && a->basic != MCK_NONE && b->basic != MCK_NONE) return true;
  // Compare-and-swap has no operation to compare; those of the program are not legal.
  if (a->op == b->op || a->op == MCK_OP_CAS || b->op == MCK_OP_CAS || a->op == MCK_OP_NONE || b->op == MCK_OP_NONE)
    return false;
  // MPI_NO_OP beside another one (accumulate_ops, 11.2.1).
  return traits & MCK_WIN_SAME_OP || (a->op != MCK_OP_NO_OP && b->op != MCK_OP_NO_OP);
}

// Whether two overlapping intervals of one epoch are a race.
static bool is_race(const struct sweep *s, const struct sweep_like *a, uint32_t event_a, const struct sweep_like *b,
                    uint32_t event_b) {
  if (sweep_is_access(a) && sweep_is_access(b)) return false; // both by the target, in program order
  if (!sweep_is_writing(a) && !sweep_is_writing(b)) return false;
  if (a->kind == SWEEP_ACC && b->kind == SWEEP_ACC)
    return is_race_of_accumulates(a, event_a, b, event_b, s->win->traits);
  if (!sweep_is_access(a) && !sweep_is_access(b)) return a->rank != b->rank || event_a != event_b;
  const struct sweep_like *access = sweep_is_access(a) ? a : b, *op = sweep_is_access(a) ? b : a;
  uint32_t access_event = sweep_is_access(a) ? event_a : event_b, op_event = sweep_is_access(a) ? event_b : event_a;
  if (access->rank == op->rank)
    return !sweep_is_buffer(access) && op_event < access_event; // program order: what came before the call is done
  // Access, then a message or collective that may have led to the operation: it may have come first.
  return !(access->is_marked && op->is_marked);
}

static int compare_intervals(const void *a, const void *b) {
  const struct sweep_interval *x = a, *y = b;
  if (x->epoch != y->epoch) return x->epoch < y->epoch ? -1 : 1;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high > y->high ? -1 : 1;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

static void remember(struct sweep_group *g, const struct sweep_interval *x) {
  // The two that reach farthest, of different events: one operation does not race with itself.
  for (uint32_t i = 0; i < g->nfar; i++)
    if (g->far[i].event == x->event) {
      if (x->high > g->far[i].high) g->far[i] = *x;
      return;
    }
  if (g->nfar < 2) {
    g->far[g->nfar++] = *x;
    return;
  }
  struct sweep_interval *least = g->far[0].high <= g->far[1].high ? &g->far[0] : &g->far[1];
  if (x->high > least->high) *least = *x;
}

static void sweep_over(struct sweep *s) {
  qsort(s->items, s->count, sizeof *s->items, compare_intervals);
  uint32_t epoch = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct sweep_interval *x = &s->items[i];
    if (x->epoch != epoch) {
      for (size_t k = 0; k < s->nactive; k++) s->groups[s->active[k]].nfar = 0;
      s->nactive = 0;
      epoch = x->epoch;
    }
    size_t kept = 0;
    bool is_active = false;
    for (size_t k = 0; k < s->nactive; k++) {
      struct sweep_group *g = &s->groups[s->active[k]];
      bool is_alive = false;
      for (uint32_t n = 0; n < g->nfar; n++) {
        if (g->far[n].high <= x->low) continue;
        is_alive = true;
        if (is_race(s, &s->groups[x->group].like, x->event, &g->like, g->far[n].event)) sweep_report(s, x, &g->far[n]);
      }
      if (is_alive) s->active[kept++] = s->active[k];
      else g->nfar = 0;
      if (is_alive && s->active[kept - 1] == x->group) is_active = true;
    }
    if (s->budget < s->nactive) return;
    s->budget -= s->nactive;
    s->nactive = kept;
    if (!is_active && !MCK_PUSH(s->active, s->nactive, s->active_capacity, x->group)) return;
    remember(&s->groups[x->group], x);
  }
}

// What one origin does to our windows; sections of one window key from all origins are met by
// walking all parcels once per window.
static bool add_origin(struct sweep *s, const struct mck_delivery *from) {
  struct mck_parcel_in in = from->windows;
  // At a cut the open epoch waits for the next one.
  uint64_t open = mck_rma_epoch(s->window), last = open - s->decide->is_cut;
  bool is_whole = s->decide->is_complete || s->decide->is_cut;
  for (uint32_t n = mck_parcel_get_count(&in, 4); n > 0; n--) {
    uint64_t key = mck_parcel_get(&in), fences = mck_parcel_get(&in), is_locked = mck_parcel_get(&in);
    uint32_t nops = mck_parcel_get_count(&in, 10);
    bool is_ours = key == s->win->body->key;
    // A fence that one has and another has not: in a whole run epochs cannot be told apart then.
    if (is_ours && (is_locked || (is_whole && fences != open))) return false;
    for (uint32_t k = 0; k < nops; k++) {
      uint64_t v[10];
      for (int i = 0; i < 10; i++) v[i] = mck_parcel_get(&in);
      if (!is_ours || v[0] <= s->window->base || v[0] > last || v[2] > UINT32_MAX || v[3] > UINT32_MAX) continue;
      if (v[4] != MCK_EV_PUT && v[4] != MCK_EV_GET && v[4] != MCK_EV_ACC) continue;
      struct sweep_like like = {
          .kind = v[4] == MCK_EV_PUT   ? SWEEP_PUT
                  : v[4] == MCK_EV_GET ? SWEEP_GET
                                       : SWEEP_ACC,
          .op = (uint8_t)v[5],
          .is_marked = v[6] != 0,
          .rank = from->rank,
          .site = (uint32_t)v[7],
          .fn = (uint16_t)v[8],
          .basic = v[4] == MCK_EV_ACC ? mck_rma_basic_of(from->types, from->ntypes, (uint32_t)v[3]) : MCK_NONE};
      add_op(s, from, (uint32_t)v[0], v[1], v[2], (uint32_t)v[3], (uint32_t)v[9], &like);
    }
  }
  return true;
}

static void decide_window(struct mck_decide *d, uint32_t id) {
  const struct mck_win_def *win = mck_judge_win(d->judge, id);
  const struct mck_rma_window *window = &d->judge->windows[id];
  if (!win || !window->is_used || window->is_locked || !window->nfences) return;
  if (win->traits & MCK_WIN_SEPARATE) return; // rt/rma has them all
  struct sweep s = {
      .decide = d, .win = win, .window = window, .budget = 200000000, .is_dynamic = win->flavor == WINDOW_DYNAMIC};
  if (s.is_dynamic && !mck_spells_make(&s.spells, d->judge->log, id)) s.is_short = true;
  bool is_decided = true;
  for (uint32_t r = 0; is_decided && r < d->size; r++)
    if (d->from[r].is_there) is_decided = add_origin(&s, &d->from[r]);
  bool has_ops = s.count > 0, has_assertion = false;
  for (size_t i = 0; i < window->nfences; i++) has_assertion |= (window->fences[i].assertion & NOSTORE) != 0;
  if (is_decided && (has_ops || has_assertion)) {
    for (size_t i = 0; i < window->naccesses; i++)
      if (!d->is_cut || window->accesses[i].epoch < mck_rma_epoch(window)) add_access(&s, &window->accesses[i]);
    if (!s.is_short && has_ops) sweep_over(&s);
  }
  if (s.is_short) mck_base_warn("out of memory: races on a window of rank %u are not judged", d->judge->rank);
  free(s.items);
  free(s.groups);
  free(s.pairs);
  free(s.active);
  mck_spells_free(&s.spells);
  mck_table_free(&s.group_table);
  mck_table_free(&s.pair_table);
}

void mck_decide_rma(struct mck_decide *d) {
  for (uint32_t id = 0; id < d->judge->log->nwins; id++) decide_window(d, id);
}
