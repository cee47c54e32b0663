// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose entry into a collective a member must wait for before it can leave: what the standard says
// (standard/collective.h), of the members and counts that are in the logs.
#include "order/meeting.h"
#include <stdlib.h>
#include <string.h>

// --- opening ---
static uint32_t join(struct mck_meetings *m, uint64_t key, struct mck_order_member member, uint32_t *slot) {
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
    struct mck_meeting_series new = {.key = key};
    if (!MCK_PUSH(m->series, m->nseries, m->capacity, new) || !mck_table_add(&m->table, hash, id))
      return m->is_short = true, 0;
  }
  struct mck_meeting_series *s = &m->series[id];
  *slot = (uint32_t)s->n;
  if (!MCK_PUSH(s->members, s->n, s->members_capacity, member)) m->is_short = true;
  return id;
}

// Where logs are cut: a call of record/run/log-budget.c. Such calls are in a log as a CALL for that reason only.
uint32_t mck_order_cut(const struct mck_reader *r) {
  if (!atomic_load(&r->header->generation)) return MCK_NONE;
  for (uint64_t i = 0, last = MCK_NONE;; i += mck_event_units(&r->events[i])) {
    if (i >= r->units) return (uint32_t)last;
    if (r->events[i].kind == MCK_EV_CALL && mck_std_joins_all(r->events[i].fn)) last = i;
  }
}

enum { CUT_KEY = 2, GROUP_KEY, BETWEEN_KEY }; // beside communicators (0) and windows (1)

static bool open_log(struct mck_meetings *m, uint32_t number) {
  const struct mck_reader *r = &m->logs[number];
  struct mck_meeting_log *log = &m->by_log[number];
  size_t ncomms = (size_t)r->ncomms + 1, nwins = (size_t)r->nwins + 1;
  log->comms = calloc(ncomms, sizeof *log->comms);
  log->nth_comm = calloc(ncomms, sizeof *log->nth_comm);
  log->comm_slots = calloc(ncomms, sizeof *log->comm_slots);
  log->wins = calloc(nwins, sizeof *log->wins);
  log->nth_win = calloc(nwins, sizeof *log->nth_win);
  log->win_slots = calloc(nwins, sizeof *log->win_slots);
  if (!log->comms || !log->nth_comm || !log->comm_slots || !log->wins || !log->nth_win || !log->win_slots) return false;
  // Judged collectives have left the log: only logs of one generation fit each other.
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
  // The last place belongs to the cut.
  log->cut = mck_order_cut(r);
  if (log->cut != MCK_NONE)
    log->comms[r->ncomms] = 1 + join(m, mck_table_mix(atomic_load(&r->header->generation), CUT_KEY),
                                     (struct mck_order_member){number, r->header->rank}, &log->comm_slots[r->ncomms]);
  return !m->is_short;
}

bool mck_meetings_open(struct mck_meetings *m, const struct mck_reader *logs, size_t n) {
  *m = (struct mck_meetings){.logs = logs, .nlogs = n, .by_log = calloc(n + 1, sizeof *m->by_log)};
  bool is_good = m->by_log != NULL;
  for (size_t i = 0; is_good && i < n; i++) is_good = open_log(m, (uint32_t)i);
  return is_good;
}

void mck_meetings_close(struct mck_meetings *m) {
  for (size_t i = 0; m->by_log && i < m->nlogs; i++) {
    struct mck_meeting_log *log = &m->by_log[i];
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
// No rank returns from it before all ranks of the window have entered it (MPI-3.1 11.2.5).
static bool is_win_free(const struct mck_event *e) { return e->kind == MCK_EV_CALL && mck_std_frees_window(e->fn); }

// MPI_Comm_create_group is collective over a group, and its tag identifies it (MPI-3.1 6.4.2). Returns its MEMBERS, or
// NULL.
static const struct mck_event *members_at(const struct mck_reader *r, uint32_t index) {
  const struct mck_event *e = &r->events[index];
  if (e->kind != MCK_EV_CALL || mck_std(e->fn)->collective != MCK_STD_COLLECTIVE_GROUP || index + 1 >= r->units)
    return NULL;
  return e[1].kind == MCK_EV_MEMBERS && mck_order_comm(r, e[1].members.comm) ? e + 1 : NULL;
}

static uint32_t log_of(const struct mck_meetings *m, int world) {
  if (world >= 0 && (size_t)world < m->nlogs && m->logs[world].header->rank == (uint32_t)world) return (uint32_t)world;
  for (size_t i = 0; i < m->nlogs; i++)
    if (m->logs[i].header->rank == (uint32_t)world) return (uint32_t)i;
  return MCK_NONE;
}

// A group becomes known with its first call.
static uint32_t series_of_group(struct mck_meetings *m, uint32_t number, const struct mck_event *e, uint32_t *slot) {
  const struct mck_comm_def *comm = mck_order_comm(&m->logs[number], e->members.comm);
  const int32_t *ranks = (const int32_t *)(e + 1);
  uint64_t words[2] = {comm->body->key, (uint32_t)e->members.tag};
  uint64_t key = mck_base_hash(ranks, (size_t)e->members.n * 4, mck_base_hash(words, sizeof words, GROUP_KEY));
  uint32_t at, id;
  MCK_TABLE_EACH (&m->table, mck_table_mix(key, 0), at, id)
    if (m->series[id].key == key) {
      struct mck_meeting_series *s = &m->series[id];
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

uint32_t mck_order_made_by(const struct mck_reader *r, uint64_t index) {
  for (uint64_t i = index + 1; i < r->units && !mck_order_is_call(&r->events[i]); i += mck_event_units(&r->events[i]))
    if (r->events[i].kind == MCK_EV_DEF_COMM) return r->events[i].def.id;
  return MCK_NONE;
}

// MPI_Intercomm_create is collective over both groups (MPI-3.1 6.6.2). They are those of the communicator that it made;
// NULL: it made none.
static const struct mck_comm_def *between_at(const struct mck_reader *r, uint32_t index) {
  const struct mck_event *e = &r->events[index];
  if (e->kind != MCK_EV_COLL || mck_std(e->fn)->collective != MCK_STD_COLLECTIVE_GROUPS) return NULL;
  const struct mck_comm_def *made = mck_order_comm(r, mck_order_made_by(r, index));
  return made && made->remote_size ? made : NULL;
}

// The communicator is new, so this is the only meeting of the series.
static uint32_t series_between(struct mck_meetings *m, uint32_t number, const struct mck_comm_def *made,
                               uint32_t *slot) {
  uint64_t key = mck_table_mix(made->body->key, BETWEEN_KEY);
  uint32_t at, id, own = MCK_NONE, other;
  MCK_TABLE_EACH (&m->table, mck_table_mix(key, 0), at, id)
    if (m->series[id].key == key) {
      struct mck_meeting_series *s = &m->series[id];
      for (*slot = 0; *slot < s->n && s->members[*slot].log != number;) ++*slot;
      return *slot < s->n ? id : MCK_NONE;
    }
  id = MCK_NONE;
  for (uint32_t i = 0; i < made->size + made->remote_size; i++) {
    bool is_remote = i >= made->size;
    uint32_t rank = is_remote ? i - made->size : i;
    uint32_t log = log_of(m, mck_comm_world_rank(made, (int)rank, is_remote));
    if (log != MCK_NONE) id = join(m, key, (struct mck_order_member){log, rank}, log == number ? &own : &other);
  }
  *slot = own;
  return own == MCK_NONE || m->is_short ? MCK_NONE : id;
}

bool mck_meetings_has(const struct mck_meetings *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = &m->logs[log].events[index];
  uint8_t kind = e->kind;
  return kind == MCK_EV_COLL || kind == MCK_EV_FENCE || is_win_free(e) || index == m->by_log[log].cut ||
         members_at(&m->logs[log], index);
}

static bool is_root(const struct mck_comm_def *comm, const struct mck_event *e) {
  return comm && e->kind == MCK_EV_COLL && mck_std_is_root(e->coll.root, comm->rank, comm->remote_size);
}

struct mck_pair mck_meetings_arrive(struct mck_meetings *m, struct mck_point at) {
  const struct mck_pair none = {MCK_NONE, MCK_NONE};
  const struct mck_reader *r = &m->logs[at.log];
  const struct mck_event *e = &r->events[at.index];
  struct mck_meeting_log *log = &m->by_log[at.log];
  bool is_cut = at.index == log->cut, is_win = e->kind == MCK_EV_FENCE || (is_win_free(e) && !is_cut);
  const struct mck_event *group = is_cut ? NULL : members_at(r, at.index);
  const struct mck_comm_def *made = between_at(r, (uint32_t)at.index);
  uint32_t id = is_win ? e->word[0] : e->kind == MCK_EV_COLL ? e->coll.comm : r->ncomms;
  if (!is_cut && !group && (id >= (is_win ? r->nwins : r->ncomms) || !(is_win ? log->wins : log->comms)[id]))
    return none;
  if (e->kind == MCK_EV_COLL && mck_std(e->fn)->collective == MCK_STD_COLLECTIVE_GROUP) return none;
  uint32_t slot, series, nth;
  if (group) {
    if ((series = series_of_group(m, at.log, group, &slot)) == MCK_NONE) return none;
    nth = m->series[series].nth[slot]++;
  } else if (made) {
    if ((series = series_between(m, at.log, made, &slot)) == MCK_NONE) return none;
    nth = 0;
  } else {
    series = (is_win ? log->wins : log->comms)[id] - 1, nth = (is_win ? log->nth_win : log->nth_comm)[id]++;
    slot = (is_win ? log->win_slots : log->comm_slots)[id];
  }
  struct mck_meeting_series *s = &m->series[series];
  while (s->count <= nth) {
    struct mck_meeting_item new = {.entries = malloc(s->n * sizeof *new.entries)};
    if (!new.entries || !MCK_PUSH(s->items, s->count, s->capacity, new)) {
      free(new.entries);
      return m->is_short = true, none;
    }
    memset(new.entries, 0xff, s->n * sizeof *new.entries);
  }
  struct mck_meeting_item *item = &s->items[nth];
  item->entries[slot] = at.index;
  if (!item->arrived++ || at.time >= item->last.time) item->last = at;
  if (!item->has_root && is_root(e->kind == MCK_EV_COLL ? mck_order_comm(r, id) : NULL, e))
    item->has_root = true, item->root = at;
  return (struct mck_pair){series, nth};
}

// --- what a member waits for ---
static void read_blocks(struct mck_meetings *m, uint32_t log, uint32_t index) {
  const struct mck_reader *r = &m->logs[log];
  const struct mck_event *e = &r->events[index];
  if (m->blocks_of == e) return;
  m->blocks_of = e;
  if (!mck_blocks_read(&m->blocks, e, r->units - index, true)) m->is_short = true;
  // The counts of a reduction belong to both sides.
  if (!m->blocks.count && !mck_blocks_read(&m->blocks, e, r->units - index, false)) m->is_short = true;
}

static bool receives_from(struct mck_meetings *m, uint32_t log, uint32_t index, uint32_t i) {
  read_blocks(m, log, index);
  const struct mck_blocks_run *run = mck_blocks_at(m->blocks.runs, m->blocks.count, i);
  return run && run->count;
}

static bool moves_any(struct mck_meetings *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = &m->logs[log].events[index];
  if (!(e->flags & MCK_COLL_HAS_ARGS)) return e->coll.count > 0;
  read_blocks(m, log, index);
  for (size_t i = 0; i < m->blocks.count; i++)
    if (m->blocks.runs[i].count) return true;
  return false;
}

enum mck_std_needs mck_meetings_needs(struct mck_meetings *m, uint32_t log, uint32_t index, enum mck_std_bound bound) {
  const struct mck_reader *r = &m->logs[log];
  const struct mck_event *e = &r->events[index];
  struct mck_std_member member = {.root = MCK_ANY_SOURCE};
  if (e->kind == MCK_EV_CALL) return e->flags & MCK_CALL_NO_BARRIER ? MCK_STD_NEEDS_NOTHING : MCK_STD_NEEDS_ALL;
  if (e->kind == MCK_EV_FENCE) member.may_skip_sync = mck_std_fence_may_skip(e->sync.assertion);
  else {
    const struct mck_comm_def *comm = mck_order_comm(r, e->coll.comm);
    if (!comm) return MCK_STD_NEEDS_UNKNOWN;
    member = (struct mck_std_member){.rank = comm->rank,
                                     .size = comm->size,
                                     .remote_size = comm->remote_size,
                                     .root = e->coll.root,
                                     .has_data = mck_std_moves_data(e->fn) && moves_any(m, log, index),
                                     .has_counts = e->flags & MCK_COLL_HAS_ARGS,
                                     .has_sources = comm->neighbors != NULL};
  }
  enum mck_std_needs needs = mck_std_needs(e->fn, &member, bound);
  // Between two groups the standard says of few calls whom they wait for.
  bool is_open = needs == MCK_STD_NEEDS_UNKNOWN || (needs == MCK_STD_NEEDS_NOTHING && member.remote_size);
  return m->has_barriers && is_open ? MCK_STD_NEEDS_ALL : needs;
}

static bool is_of_other_group(const struct mck_meetings *m, const struct mck_comm_def *comm,
                              const struct mck_order_member *member) {
  int world = member->rank < comm->remote_size ? mck_comm_world_rank(comm, (int)member->rank, true) : -1;
  return world >= 0 && m->logs[member->log].header->rank == (uint32_t)world;
}

bool mck_meetings_is_needed(struct mck_meetings *m, uint32_t log, uint32_t index, enum mck_std_needs needs,
                            const struct mck_meeting_series *s, size_t slot) {
  const struct mck_event *e = &m->logs[log].events[index];
  const struct mck_comm_def *comm = e->kind == MCK_EV_COLL ? mck_order_comm(&m->logs[log], e->coll.comm) : NULL;
  uint32_t rank = s->members[slot].rank;
  if (s->members[slot].log == log) return false;
  switch (needs) {
  case MCK_STD_NEEDS_UNKNOWN:
  case MCK_STD_NEEDS_OUTSIDE:
  case MCK_STD_NEEDS_NOTHING: return false;
  case MCK_STD_NEEDS_ALL: return true;
  case MCK_STD_NEEDS_OTHER_GROUP: return comm && is_of_other_group(m, comm, &s->members[slot]);
  case MCK_STD_NEEDS_ROOT: {
    if (!comm || e->coll.root < 0) return false;
    if (!comm->remote_size) return rank == (uint32_t)e->coll.root;
    // The root belongs to the other group, and its rank, too.
    int world = mck_comm_world_rank(comm, e->coll.root, true);
    return world >= 0 && m->logs[s->members[slot].log].header->rank == (uint32_t)world;
  }
  case MCK_STD_NEEDS_LOWER: return comm && rank < comm->rank;
  case MCK_STD_NEEDS_COUNTED: return comm && receives_from(m, log, index, rank);
  case MCK_STD_NEEDS_OWN_COUNTED: return comm && receives_from(m, log, index, comm->rank);
  case MCK_STD_NEEDS_SOURCES:
    for (uint32_t i = 0; comm && i < comm->nsources; i++)
      if (comm->neighbors[i] == (int32_t)rank && receives_from(m, log, index, i)) return true;
    return false;
  }
  return false;
}
