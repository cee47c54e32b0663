// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose entry into a collective a member must wait for before it can leave: only what the data say (MPI-3.1 5.1: a
// collective need not synchronize); barriers, constructors, and fences without an assertion (11.5.1) do. Where the flow
// of a collective is not known it makes nobody wait.
#include "order/meeting.h"
#include <stdlib.h>
#include <string.h>
#include "api/worlds.h"

enum habit {
  UNKNOWN,
  SYNCHRONIZES,
  ALL_TO_ALL,
  ONE_TO_ALL,
  ALL_TO_ONE,
  SCAN,
  COUNTED_ALL,  // a count per rank
  COUNTED_ROOT, // ... at the root
  ONE_COUNTED,  // from the root, a count per rank
  REDUCE_SCATTER,
  NEIGHBORS,
  ROOT_LEADS, // nobody has anything to do before the root says what (api/worlds.h)
};

static enum habit habit_of(uint16_t fn) {
  static const uint8_t habits[MCK_FN_COUNT] = {
#define ROW(name, small, habit) [MCK_FN_MPI_##name] = (habit), [MCK_FN_MPI_I##small] = (habit)
#define ONE(name) [MCK_FN_MPI_##name] = SYNCHRONIZES
      ROW(Barrier, barrier, SYNCHRONIZES),
      ONE(Comm_create),
      ONE(Comm_dup),
      ONE(Comm_idup),
      ONE(Comm_dup_with_info),
      ONE(Comm_split),
      ONE(Comm_split_type),
      ONE(Cart_create),
      ONE(Graph_create),
      ONE(Cart_sub),
      ONE(Dist_graph_create),
      ONE(Dist_graph_create_adjacent),
      ONE(Win_create),
      ONE(Win_allocate),
      ONE(Win_allocate_shared),
      ONE(Win_create_dynamic),
      ONE(Win_free),
      ROW(Allreduce, allreduce, ALL_TO_ALL),
      ROW(Allgather, allgather, ALL_TO_ALL),
      ROW(Alltoall, alltoall, ALL_TO_ALL),
      ROW(Reduce_scatter_block, reduce_scatter_block, ALL_TO_ALL),
      ROW(Reduce_scatter, reduce_scatter, REDUCE_SCATTER),
      ROW(Allgatherv, allgatherv, COUNTED_ALL),
      ROW(Alltoallv, alltoallv, COUNTED_ALL),
      ROW(Alltoallw, alltoallw, COUNTED_ALL),
      ROW(Bcast, bcast, ONE_TO_ALL),
      ROW(Scatter, scatter, ONE_TO_ALL),
      ROW(Scatterv, scatterv, ONE_COUNTED),
      ROW(Reduce, reduce, ALL_TO_ONE),
      ROW(Gather, gather, ALL_TO_ONE),
      ROW(Gatherv, gatherv, COUNTED_ROOT),
      ROW(Scan, scan, SCAN),
      ROW(Exscan, exscan, SCAN),
      ROW(Neighbor_allgather, neighbor_allgather, NEIGHBORS),
      ROW(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBORS),
      ROW(Neighbor_alltoall, neighbor_alltoall, NEIGHBORS),
      ROW(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBORS),
      ROW(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBORS),
#undef ROW
#undef ONE
  };
  if (mck_fn_meets_world(fn)) return ROOT_LEADS;
  return fn < MCK_FN_COUNT ? (enum habit)habits[fn] : UNKNOWN;
}

// --- opening ---
static uint32_t join(struct mck_meet *m, uint64_t key, struct mck_order_member member, uint32_t *slot) {
  uint32_t at, id = 0;
  uint64_t hash = mck_table_mix(key, 0);
  bool is_known = false;
  MCK_TABLE_EACH (&m->table, hash, at, id)
    if (m->series[id].key == key) {
      is_known = true;
      break;
    }
  if (!is_known) {
    id = (uint32_t)m->nseries;
    struct mck_meet_series new = {.key = key};
    if (!MCK_PUSH(m->series, m->nseries, m->capacity, new) || !mck_table_add(&m->table, hash, id))
      return m->is_short = true, 0;
  }
  struct mck_meet_series *s = &m->series[id];
  *slot = (uint32_t)s->n;
  if (!MCK_PUSH(s->members, s->n, s->members_capacity, member)) m->is_short = true;
  return id;
}

// Where logs are cut (record/run/log-budget.c). As a CALL they are in no log but for that; MPI_Win_free, which
// synchronizes, too, is.
static bool is_world_point(uint16_t fn) {
  return fn == MCK_FN_MPI_Barrier || fn == MCK_FN_MPI_Allreduce || fn == MCK_FN_MPI_Allgather ||
         fn == MCK_FN_MPI_Alltoall;
}

uint32_t mck_order_cut(const struct mck_reader *r) {
  if (!atomic_load(&r->header->generation)) return MCK_NONE;
  for (uint64_t i = 0, last = MCK_NONE;; i += mck_event_units(&r->events[i])) {
    if (i >= r->units) return (uint32_t)last;
    if (r->events[i].kind == MCK_EV_CALL && is_world_point(r->events[i].fn)) last = i;
  }
}

enum { NOPRECEDE = 2 };          // of a fence: it ends no epoch and need not wait (MPI-3.1 11.5.1)
enum { CUT_KEY = 2, GROUP_KEY }; // beside communicators (0) and windows (1)

static bool open_log(struct mck_meet *m, uint32_t number) {
  const struct mck_reader *r = &m->logs[number];
  struct mck_meet_log *log = &m->by_log[number];
  size_t ncomms = (size_t)r->ncomms + 1, nwins = (size_t)r->nwins + 1;
  log->comms = calloc(ncomms, sizeof *log->comms);
  log->nth_comm = calloc(ncomms, sizeof *log->nth_comm);
  log->comm_slots = calloc(ncomms, sizeof *log->comm_slots);
  log->wins = calloc(nwins, sizeof *log->wins);
  log->nth_win = calloc(nwins, sizeof *log->nth_win);
  log->win_slots = calloc(nwins, sizeof *log->win_slots);
  if (!log->comms || !log->nth_comm || !log->comm_slots || !log->wins || !log->nth_win || !log->win_slots) return false;
  // Collectives that were judged are not in the log any more: only logs of one generation fit each other.
  for (uint32_t i = 0; i < r->ncomms; i++)
    if (r->comms[i].body) {
      uint64_t key = mck_table_mix(mck_table_mix(r->comms[i].body->key, r->comms[i].body->before), 0);
      log->comms[i] = 1 + join(m, key, (struct mck_order_member){number, r->comms[i].rank}, &log->comm_slots[i]);
    }
  for (uint32_t i = 0; i < r->nwins; i++)
    if (r->wins[i].body) {
      const struct mck_comm_def *comm = mck_order_comm(r, r->wins[i].comm);
      uint64_t key = mck_table_mix(r->wins[i].body->key, 1);
      log->wins[i] = 1 + join(m, key, (struct mck_order_member){number, comm ? comm->rank : 0}, &log->win_slots[i]);
    }
  // The last place is the cut's.
  log->cut = mck_order_cut(r);
  if (log->cut != MCK_NONE)
    log->comms[r->ncomms] = 1 + join(m, mck_table_mix(atomic_load(&r->header->generation), CUT_KEY),
                                     (struct mck_order_member){number, r->header->rank}, &log->comm_slots[r->ncomms]);
  return !m->is_short;
}

bool mck_meet_open(struct mck_meet *m, const struct mck_reader *logs, size_t n) {
  *m = (struct mck_meet){.logs = logs, .nlogs = n, .by_log = calloc(n + 1, sizeof *m->by_log)};
  bool is_good = m->by_log != NULL;
  for (size_t i = 0; is_good && i < n; i++) is_good = open_log(m, (uint32_t)i);
  return is_good;
}

void mck_meet_close(struct mck_meet *m) {
  for (size_t i = 0; m->by_log && i < m->nlogs; i++) {
    struct mck_meet_log *log = &m->by_log[i];
    free(log->comms), free(log->nth_comm), free(log->comm_slots);
    free(log->wins), free(log->nth_win), free(log->win_slots);
  }
  for (size_t i = 0; i < m->nseries; i++) {
    for (size_t k = 0; k < m->series[i].count; k++) free(m->series[i].items[k].entries);
    free(m->series[i].items);
    free(m->series[i].members);
    free(m->series[i].nth);
  }
  free(m->by_log);
  free(m->series);
  free(m->blocks.runs);
  mck_table_free(&m->table);
}

// --- entering ---
// Nobody returns from it before all of the window have entered it (MPI-3.1 11.2.5).
static bool is_win_free(const struct mck_event *e) { return e->kind == MCK_EV_CALL && e->fn == MCK_FN_MPI_Win_free; }

// MPI_Comm_create_group is collective over a group, and told apart by its tag (MPI-3.1 6.4.2): its MEMBERS, or NULL.
static const struct mck_event *members_at(const struct mck_reader *r, uint32_t index) {
  const struct mck_event *e = &r->events[index];
  if (e->kind != MCK_EV_CALL || e->fn != MCK_FN_MPI_Comm_create_group || index + 1 >= r->units) return NULL;
  return e[1].kind == MCK_EV_MEMBERS && mck_order_comm(r, e[1].members.comm) ? e + 1 : NULL;
}

static uint32_t log_of(const struct mck_meet *m, int world) {
  if (world >= 0 && (size_t)world < m->nlogs && m->logs[world].header->rank == (uint32_t)world) return (uint32_t)world;
  for (size_t i = 0; i < m->nlogs; i++)
    if (m->logs[i].header->rank == (uint32_t)world) return (uint32_t)i;
  return MCK_NONE;
}

// Groups are not known before one is met.
static uint32_t series_of_group(struct mck_meet *m, uint32_t number, const struct mck_event *e, uint32_t *slot) {
  const struct mck_comm_def *comm = mck_order_comm(&m->logs[number], e->members.comm);
  const int32_t *ranks = (const int32_t *)(e + 1);
  uint64_t words[2] = {comm->body->key, (uint32_t)e->members.tag};
  uint64_t key = mck_base_hash(ranks, (size_t)e->members.n * 4, mck_base_hash(words, sizeof words, GROUP_KEY));
  uint32_t at, id;
  MCK_TABLE_EACH (&m->table, mck_table_mix(key, 0), at, id)
    if (m->series[id].key == key) {
      struct mck_meet_series *s = &m->series[id];
      for (*slot = 0; *slot < s->n && s->members[*slot].log != number;) ++*slot;
      return *slot < s->n && s->nth ? id : MCK_NONE;
    }
  uint32_t own = MCK_NONE, other;
  id = MCK_NONE;
  for (uint32_t i = 0; i < e->members.n; i++) {
    uint32_t log = log_of(m, mck_comm_world_rank(comm, ranks[i], false));
    if (log != MCK_NONE)
      id = join(m, key, (struct mck_order_member){log, (uint32_t)ranks[i]}, log == number ? &own : &other);
  }
  if (own == MCK_NONE || m->is_short) return MCK_NONE;
  *slot = own;
  m->series[id].nth = calloc(m->series[id].n, sizeof(uint32_t));
  return m->series[id].nth ? id : (m->is_short = true, MCK_NONE);
}

bool mck_meet_is(const struct mck_meet *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = &m->logs[log].events[index];
  uint8_t kind = e->kind;
  return kind == MCK_EV_COLL || kind == MCK_EV_FENCE || is_win_free(e) || index == m->by_log[log].cut ||
         members_at(&m->logs[log], index);
}

static bool is_root(const struct mck_comm_def *comm, const struct mck_event *e) {
  if (!comm || e->kind != MCK_EV_COLL) return false;
  return comm->remote_size ? e->coll.root == -4 : e->coll.root >= 0 && (uint32_t)e->coll.root == comm->rank;
}

struct mck_pair mck_meet_arrive(struct mck_meet *m, struct mck_point at) {
  const struct mck_pair none = {MCK_NONE, MCK_NONE};
  const struct mck_reader *r = &m->logs[at.log];
  const struct mck_event *e = &r->events[at.index];
  struct mck_meet_log *log = &m->by_log[at.log];
  bool is_cut = at.index == log->cut, is_win = e->kind == MCK_EV_FENCE || (is_win_free(e) && !is_cut);
  const struct mck_event *group = is_cut ? NULL : members_at(r, at.index);
  uint32_t id = is_win ? e->word[0] : e->kind == MCK_EV_COLL ? e->coll.comm : r->ncomms;
  if (!is_cut && !group && (id >= (is_win ? r->nwins : r->ncomms) || !(is_win ? log->wins : log->comms)[id]))
    return none;
  // Collective over a group of its own (MPI-3.1 6.4.2).
  if (e->kind == MCK_EV_COLL && e->fn == MCK_FN_MPI_Comm_create_group) return none;
  uint32_t slot, series, nth;
  if (group) {
    if ((series = series_of_group(m, at.log, group, &slot)) == MCK_NONE) return none;
    nth = m->series[series].nth[slot]++;
  } else {
    series = (is_win ? log->wins : log->comms)[id] - 1, nth = (is_win ? log->nth_win : log->nth_comm)[id]++;
    slot = (is_win ? log->win_slots : log->comm_slots)[id];
  }
  struct mck_meet_series *s = &m->series[series];
  while (s->count <= nth) {
    struct mck_meet_item new = {.entries = malloc(s->n * sizeof *new.entries)};
    if (!new.entries || !MCK_PUSH(s->items, s->count, s->capacity, new)) {
      free(new.entries);
      return m->is_short = true, none;
    }
    memset(new.entries, 0xff, s->n * sizeof *new.entries);
  }
  struct mck_meet_item *item = &s->items[nth];
  item->entries[slot] = at.index;
  if (!item->arrived++ || at.time >= item->last.time) item->last = at;
  if (!item->has_root && is_root(e->kind == MCK_EV_COLL ? mck_order_comm(r, id) : NULL, e))
    item->has_root = true, item->root = at;
  return (struct mck_pair){series, nth};
}

// --- what a member waits for ---
static void read_blocks(struct mck_meet *m, uint32_t log, uint32_t index) {
  const struct mck_reader *r = &m->logs[log];
  const struct mck_event *e = &r->events[index];
  if (m->blocks_of == e) return;
  m->blocks_of = e;
  if (!mck_blocks_read(&m->blocks, e, r->units - index, true)) m->is_short = true;
  // A reduction's counts are of both sides.
  if (!m->blocks.count && !mck_blocks_read(&m->blocks, e, r->units - index, false)) m->is_short = true;
}

static bool receives_from(struct mck_meet *m, uint32_t log, uint32_t index, uint32_t i) {
  read_blocks(m, log, index);
  const struct mck_blocks_run *run = mck_blocks_at(m->blocks.runs, m->blocks.count, i);
  return run && run->count;
}

static bool moves_any(struct mck_meet *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = &m->logs[log].events[index];
  if (!(e->flags & MCK_COLL_HAS_ARGS)) return e->coll.count > 0;
  read_blocks(m, log, index);
  for (size_t i = 0; i < m->blocks.count; i++)
    if (m->blocks.runs[i].count) return true;
  return false;
}

enum mck_order_needs mck_meet_needs(struct mck_meet *m, uint32_t log, uint32_t index) {
  const struct mck_reader *r = &m->logs[log];
  const struct mck_event *e = &r->events[index];
  if (e->kind == MCK_EV_CALL) return e->flags & MCK_CALL_NO_BARRIER ? MCK_NEEDS_NOTHING : MCK_NEEDS_ALL;
  if (e->kind == MCK_EV_FENCE) return e->sync.assertion & NOPRECEDE ? MCK_NEEDS_NOTHING : MCK_NEEDS_ALL;
  enum habit habit = habit_of(e->fn);
  if (habit == SYNCHRONIZES) return MCK_NEEDS_ALL;
  const struct mck_comm_def *comm = habit == UNKNOWN ? NULL : mck_order_comm(r, e->coll.comm);
  if (!comm || (habit != ROOT_LEADS && !moves_any(m, log, index))) return MCK_NEEDS_NOTHING;
  // Between two groups: what is waited for is of the other group; at most more than that is said here.
  bool is_inter = comm->remote_size, at_root = is_root(comm, e), is_beside = is_inter && e->coll.root == -2;
  bool is_counted = !is_inter && e->flags & MCK_COLL_HAS_ARGS;
  switch (habit) {
  case UNKNOWN:
  case SYNCHRONIZES: return MCK_NEEDS_NOTHING;
  case ALL_TO_ALL: return MCK_NEEDS_ALL;
  case COUNTED_ALL: return is_inter ? MCK_NEEDS_NOTHING : is_counted ? MCK_NEEDS_COUNTED : MCK_NEEDS_ALL;
  case ONE_TO_ALL:
  case ONE_COUNTED:
  case ROOT_LEADS: return at_root || is_beside ? MCK_NEEDS_NOTHING : MCK_NEEDS_ROOT;
  case ALL_TO_ONE: return at_root ? MCK_NEEDS_ALL : MCK_NEEDS_NOTHING;
  case COUNTED_ROOT: return at_root && is_counted ? MCK_NEEDS_COUNTED : MCK_NEEDS_NOTHING;
  case SCAN: return comm->rank ? MCK_NEEDS_LOWER : MCK_NEEDS_NOTHING;
  case REDUCE_SCATTER: return is_counted ? MCK_NEEDS_COUNTED : is_inter ? MCK_NEEDS_NOTHING : MCK_NEEDS_ALL;
  case NEIGHBORS: return comm->neighbors ? MCK_NEEDS_NEIGHBORS : MCK_NEEDS_NOTHING;
  }
  return MCK_NEEDS_NOTHING;
}

bool mck_meet_is_needed(struct mck_meet *m, uint32_t log, uint32_t index, enum mck_order_needs needs,
                        const struct mck_meet_series *s, size_t slot) {
  const struct mck_event *e = &m->logs[log].events[index];
  const struct mck_comm_def *comm = e->kind == MCK_EV_COLL ? mck_order_comm(&m->logs[log], e->coll.comm) : NULL;
  uint32_t rank = s->members[slot].rank;
  if (s->members[slot].log == log) return false;
  switch (needs) {
  case MCK_NEEDS_NOTHING: return false;
  case MCK_NEEDS_ALL: return true;
  case MCK_NEEDS_ROOT: {
    if (!comm || e->coll.root < 0) return false;
    if (!comm->remote_size) return rank == (uint32_t)e->coll.root;
    // The root is of the other group, and its rank is there.
    int world = mck_comm_world_rank(comm, e->coll.root, true);
    return world >= 0 && m->logs[s->members[slot].log].header->rank == (uint32_t)world;
  }
  case MCK_NEEDS_LOWER: return comm && rank < comm->rank;
  case MCK_NEEDS_COUNTED:
    return comm && receives_from(m, log, index, habit_of(e->fn) == REDUCE_SCATTER ? comm->rank : rank);
  case MCK_NEEDS_NEIGHBORS:
    for (uint32_t i = 0; comm && i < comm->nsources; i++)
      if (comm->neighbors[i] == (int32_t)rank && receives_from(m, log, index, i)) return true;
    return false;
  }
  return false;
}

enum mck_order_gives mck_meet_gives(const struct mck_comm_def *comm, const struct mck_event *e) {
  switch (habit_of(e->fn)) {
  case UNKNOWN: return MCK_GIVES_NOBODY;
  case SYNCHRONIZES:
  case ALL_TO_ALL:
  case COUNTED_ALL:
  case SCAN:
  case REDUCE_SCATTER:
  case NEIGHBORS: return MCK_GIVES_ALL;
  case ONE_TO_ALL:
  case ONE_COUNTED:
  case ROOT_LEADS: return is_root(comm, e) ? MCK_GIVES_ALL : MCK_GIVES_NOBODY;
  case ALL_TO_ONE:
  case COUNTED_ROOT: return is_root(comm, e) ? MCK_GIVES_NOBODY : MCK_GIVES_ROOT;
  }
  return MCK_GIVES_NOBODY;
}
