// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 1: one pass over a log makes its index. The loop is the judge's hot path (tests/unit/test-judge-match.c measures
// it). A message costs one look-up in a table at most. Nothing is stored for one that looks like its predecessor on its
// channel.
#include "judge/index-pass.h"
#include <stdlib.h>
#include <string.h>
#include "judge/cut/cut.h"
#include "judge/whole/whole.h"
#include "rma/fence-epoch.h"

// Channels by the log's own names.
static inline uint64_t hash_channel(const struct mck_event *e, enum mck_direction direction) {
  return mck_std_hash_end(mck_event_end(e, direction == MCK_OUT));
}

static inline bool is_of_channel(const struct mck_channel *c, const struct mck_event *e, enum mck_direction direction) {
  return c->direction == direction &&
         mck_std_is_same_envelope((struct mck_std_envelope){c->comm, c->peer, c->tag}, mck_event_envelope(e));
}

struct mck_channel *mck_judge_find_channel(const struct mck_judge *j, const struct mck_event *e,
                                           enum mck_direction direction) {
  uint64_t hash = hash_channel(e, direction);
  uint32_t at, id;
  MCK_TABLE_EACH (&j->channel_table, hash, at, id)
    if (is_of_channel(&j->channels[id], e, direction)) return &j->channels[id];
  return NULL;
}

static inline uint32_t *way_of(struct mck_pass *pass, const struct mck_event *e, enum mck_direction direction) {
  return &pass->ways[((uint32_t)e->msg.peer * 2 + direction + (uint32_t)e->msg.tag * 14 + e->msg.comm * 26) %
                     MCK_PASS_WAYS];
}

static struct mck_channel *find_channel(struct mck_pass *pass, const struct mck_event *e,
                                        enum mck_direction direction) {
  struct mck_judge *j = pass->judge;
  uint32_t *way = way_of(pass, e, direction);
  struct mck_channel *c = *way ? &j->channels[*way - 1] : NULL;
  if (c && is_of_channel(c, e, direction)) return c;
  c = mck_judge_find_channel(j, e, direction);
  if (c) return *way = (uint32_t)(c - j->channels) + 1, c;
  const struct mck_comm_def *comm = mck_judge_comm(j, e->msg.comm);
  int world = comm ? mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0) : -1;
  if (world < 0 || (uint32_t)world >= j->size) return j->is_partial = true, NULL;
  struct mck_channel new = {.key = comm->body->key,
                            .comm = e->msg.comm,
                            .peer = e->msg.peer,
                            .tag = e->msg.tag,
                            .world = world,
                            .direction = direction,
                            .decided = MCK_STD_ALL_DECIDED};
  if (direction == MCK_IN && mck_judge_is_undecided(j, mck_std_envelope_at(mck_judge_end(&new))))
    mck_std_leave_undecided(&new.decided, 0);
  if (!MCK_PUSH(j->channels, j->nchannels, j->channels_capacity, new) ||
      !mck_table_add(&j->channel_table, hash_channel(e, direction), (uint32_t)j->nchannels - 1))
    return j->is_short = true, NULL;
  *way = (uint32_t)j->nchannels;
  return &j->channels[j->nchannels - 1];
}

static bool is_shape(const struct mck_shape *s, const struct mck_event *e, uint32_t type, uint64_t count) {
  return s->site == e->site && s->count == count && s->type == type && s->fn == e->fn;
}

static uint32_t find_shape(struct mck_judge *j, const struct mck_event *e, uint32_t type, uint64_t count) {
  uint64_t hash = mck_table_mix((uint64_t)e->site << 32 | type, count * 0x9e3779b97f4a7c15u ^ e->fn);
  uint32_t at, id;
  MCK_TABLE_EACH (&j->shape_table, hash, at, id)
    if (is_shape(&j->shapes[id], e, type, count)) return id;
  struct mck_shape new = {count, type, e->site, e->fn};
  if (!MCK_PUSH(j->shapes, j->nshapes, j->shapes_capacity, new) ||
      !mck_table_add(&j->shape_table, hash, (uint32_t)j->nshapes - 1))
    return j->is_short = true, 0;
  return (uint32_t)j->nshapes - 1;
}

static void append(struct mck_judge *j, struct mck_runs *runs, const struct mck_event *e, uint32_t type,
                   uint64_t count) {
  if (runs->count) {
    struct mck_run *run = &runs->items[runs->count - 1];
    if (is_shape(&j->shapes[run->shape], e, type, count)) {
      run->n++;
      runs->n++;
      return;
    }
  }
  uint32_t shape = find_shape(j, e, type, count);
  if (!j->is_short && !mck_runs_append(runs, 1, shape)) j->is_short = true;
}

// A matched probe takes a message number here (MPI-3.1 3.8.2). Type and count come with its receive, which is mostly
// the next event. Until then the message has a shape of its own, of unknown type.
static void add_mprobe(struct mck_pass *pass, const struct mck_event *e) {
  struct mck_judge *j = pass->judge;
  struct mck_channel *c = find_channel(pass, e, MCK_IN);
  if (!c) return;
  mck_pass_note_order(pass, &c->last, &c->is_open);
  if (mck_log_reach(pass->log, pass->index + 1) && e[1].kind == MCK_EV_MRECV && e[1].mrecv.mprobe == pass->index) {
    append(j, &c->runs, &e[1], e[1].mrecv.type, e[1].mrecv.count);
    c->latest.kind = MCK_EV_PAD;
    return;
  }
  struct mck_shape shape = {0, MCK_NONE, e->site, e->fn};
  if (!MCK_PUSH(j->shapes, j->nshapes, j->shapes_capacity, shape) ||
      !mck_runs_append(&c->runs, 1, (uint32_t)j->nshapes - 1) ||
      !mck_base_grow((void **)&pass->probes, &pass->probes_capacity, pass->nprobes + 1, sizeof *pass->probes)) {
    j->is_short = true;
    return;
  }
  c->latest.kind = MCK_EV_PAD;
  pass->probes[pass->nprobes].event = pass->index;
  pass->probes[pass->nprobes].channel = (uint32_t)(c - j->channels);
  pass->probes[pass->nprobes].number = c->runs.n - 1;
  pass->probes[pass->nprobes++].run = c->runs.count - 1;
}

static void add_mrecv(struct mck_pass *pass, const struct mck_event *e) {
  struct mck_judge *j = pass->judge;
  for (size_t i = pass->nprobes; i-- > 0;) {
    if (pass->probes[i].event != e->mrecv.mprobe) continue;
    uint32_t shape = find_shape(j, e, e->mrecv.type, e->mrecv.count);
    if (!j->is_short) j->channels[pass->probes[i].channel].runs.items[pass->probes[i].run].shape = shape;
    memmove(&pass->probes[i], &pass->probes[i + 1], (--pass->nprobes - i) * sizeof *pass->probes);
    return;
  }
}

static void add_message(struct mck_pass *pass, struct mck_channel *c, const struct mck_event *e) {
  if (!c) return;
  mck_pass_note_order(pass, &c->last, &c->is_open);
  append(pass->judge, &c->runs, e, e->msg.type, e->msg.count);
  c->latest = *e;
}

static bool is_pending(struct mck_pass *pass) {
  const struct mck_judge *j = pass->judge;
  while (pass->pending < j->npending && j->pending[pass->pending] < pass->index) pass->pending++;
  return pass->pending < j->npending && j->pending[pass->pending] == pass->index;
}

static void add_recv(struct mck_pass *pass, const struct mck_event *e) {
  struct mck_channel *c = find_channel(pass, e, MCK_IN);
  if (!c) return;
  // A receive that is not complete may still be cancelled (MPI-3.1 3.8.4). Then it takes no message.
  if (is_pending(pass)) mck_std_leave_undecided(&c->decided, c->runs.n);
  add_message(pass, c, e);
}

// Adds the messages of this channel that were settled at earlier cuts.
static void add_settled(struct mck_pass *pass, const struct mck_event *e) {
  struct mck_channel *c = find_channel(pass, e, MCK_IN);
  if (c) c->base += e->msg.count;
}

static bool is_room(void **items, size_t *count, size_t *capacity, size_t wanted, size_t size) {
  if (*count >= wanted) return true;
  if (!mck_base_grow(items, capacity, wanted, size)) return false;
  memset((char *)*items + *count * size, 0, (wanted - *count) * size);
  *count = wanted;
  return true;
}

// Makes room in the arrays by id for all ids that the log has defined so far.
static void make_room(struct mck_judge *j) {
  size_t ncomms = j->log->ncomms, nwins = j->log->nwins, n = j->nwins;
  if (!is_room((void **)&j->of_comm, &j->ncomms, &j->comms_capacity, ncomms, sizeof *j->of_comm) ||
      !is_room((void **)&j->windows, &n, &j->windows_capacity, nwins, sizeof *j->windows) ||
      !is_room((void **)&j->seen, &j->nseen, &j->seen_capacity, nwins + 1, sizeof *j->seen) ||
      !is_room((void **)&j->of_win, &j->nwins, &j->wins_capacity, nwins, sizeof *j->of_win))
    j->is_short = true;
}

// Most of a log: a message that equals the previous one on its channel in everything. It counts the same way. While
// receives are pending, which may still be cancelled, each message is looked at by itself.
static inline bool is_repeated(struct mck_pass *pass, const struct mck_event *e, enum mck_direction direction) {
  uint32_t number = *way_of(pass, e, direction);
  if (!number || pass->judge->npending || pass->judge->has_threads) return false;
  struct mck_channel *c = &pass->judge->channels[number - 1];
  if (memcmp(&c->latest, e, sizeof *e)) return false;
  c->runs.items[c->runs.count - 1].n++;
  c->runs.n++;
  return true;
}

static void pass_over(struct mck_pass *pass) {
  struct mck_judge *j = pass->judge;
  const struct mck_event *events = j->log->events, *e;
  for (uint64_t i = 0; !j->is_short && mck_log_reach(pass->log, i); i += mck_event_units(e)) {
    e = &events[i];
    pass->index = (uint32_t)i;
    if (e->kind == MCK_EV_SEND && is_repeated(pass, e, MCK_OUT)) {
      pass->released = pass->index;
      continue;
    }
    if (e->kind == MCK_EV_RECV && is_repeated(pass, e, MCK_IN)) {
      pass->acquired = pass->index;
      continue;
    }
    if (e->kind < MCK_EV_PUT || e->kind > MCK_EV_FENCE)
      j->needs |= mck_whole_need_of(e, i, pass->log->units - i); // operations on windows need nothing of that
    switch (e->kind) {
    case MCK_EV_SEND:
      if (mck_event_is_sent(e)) add_message(pass, find_channel(pass, e, MCK_OUT), e);
      break;
    case MCK_EV_RECV:
      if (MCK_LIKELY(mck_event_is_known(e))) add_recv(pass, e);
      else mck_judge_add_unknown(j, e);
      break;
    case MCK_EV_MPROBE:
      if (mck_event_is_known(e)) add_mprobe(pass, e);
      else mck_judge_add_unknown(j, e);
      break;
    case MCK_EV_MRECV: add_mrecv(pass, e); break;
    case MCK_EV_SETTLED: add_settled(pass, e); break;
    case MCK_EV_COLL: mck_pass_add_collective(pass, e); break;
    case MCK_EV_PUT:
    case MCK_EV_GET:
    case MCK_EV_ACC:
    case MCK_EV_FENCE:
    case MCK_EV_SYNC:
    case MCK_EV_ACCESS: mck_pass_add_rma(pass, e); break;
    case MCK_EV_ATTACH: mck_pass_add_attach(pass, e); break;
    case MCK_EV_PROBE:
    case MCK_EV_WAIT:
    case MCK_EV_DONE: break;
    case MCK_EV_CALL:
      if (mck_std_frees_window(e->fn)) mck_pass_free_window(pass, e);
      break;
    default: make_room(j); // a definition, which the reader keeps
    }
    if (mck_epoch_tells(e)) pass->released = pass->index;
    if (mck_epoch_learns(e)) pass->acquired = pass->index;
  }
  if (j->log->is_short) j->is_short = true;
}

// Reads the order of the threads, for which all of the log must be sound.
static void read_threads(struct mck_pass *pass) {
  struct mck_judge *j = pass->judge;
  bool is_lost;
  j->has_threads = atomic_load(&j->log->header->is_multiple) & MCK_LOG_THREADS;
  if (!j->has_threads) return;
  for (uint64_t i = 0; mck_log_reach(pass->log, i); i += mck_event_units(&j->log->events[i])) {}
  struct mck_reader sound = *pass->log;
  if (sound.known < sound.units) sound.units = sound.known;
  if (!mck_strands_read(&pass->strands, &sound, &is_lost)) j->is_short = true;
}

// A receive that never completed may have been posted before any of the others that accept its message.
static void leave_undecided(struct mck_judge *j) {
  for (size_t i = 0; j->has_threads && i < j->nchannels; i++)
    if (j->channels[i].decided != MCK_STD_ALL_DECIDED) mck_std_leave_undecided(&j->channels[i].decided, 0);
}

static struct mck_judge *make_index(struct mck_reader *log, uint32_t size, const struct mck_pending *pending) {
  struct mck_judge *j = calloc(1, sizeof *j);
  if (!j) return NULL;
  j->log = log;
  j->rank = log->header->rank;
  j->size = size;
  uint32_t multiple = atomic_load(&log->header->is_multiple);
  j->is_multiple = multiple & MCK_LOG_UNSEEN; // such calls may have been made between those in the log
  if (pending) j->is_cut = true, j->pending = pending->events, j->npending = pending->count;
  struct mck_pass pass = {.judge = j, .log = log};
  make_room(j);
  read_threads(&pass);
  if (!j->is_short) pass_over(&pass);
  leave_undecided(j);
  mck_strands_free(&pass.strands);
  // Which call of a communicator is the n-th one is not known.
  j->may_be_open = j->has_threads || multiple & MCK_LOG_HIDDEN;
  for (size_t i = 0; multiple & MCK_LOG_HIDDEN && i < j->nsequences; i++) j->sequences[i].is_open = true;
  if (multiple & MCK_LOG_UNSEEN || atomic_load(&log->header->is_incomplete) || log->damaged != UINT64_MAX)
    j->is_partial = true;
  j->released = pass.released;
  j->needs |= mck_whole_needs_of_windows(log);
  // The receive of such a matched probe is still to come: type and count are unknown.
  for (size_t i = 0; j->is_cut && i < pass.nprobes; i++) {
    struct mck_channel *c = &j->channels[pass.probes[i].channel];
    mck_std_leave_undecided(&c->decided, pass.probes[i].number);
  }
  free(pass.probes);
  bool is_locked = false;
  for (size_t i = 0; i < j->nwins; i++) is_locked |= j->windows[i].is_locked;
  if (j->is_cut && is_locked && !mck_rma_find_open(&j->open, log)) j->is_short = true;
  if (!j->is_short) return j;
  mck_judge_free(j);
  return NULL;
}

struct mck_judge *mck_judge_index_open(struct mck_reader *log, uint32_t size) {
  struct mck_judge *judge = make_index(log, size, NULL);
  if (!judge && log->known < log->units) log->units = log->damaged = log->known; // nobody has checked the rest
  return judge;
}

// A log that is already loaded is not changed.
struct mck_judge *mck_judge_index(const struct mck_reader *log, uint32_t size) {
  return make_index((struct mck_reader *)log, size, NULL);
}

struct mck_judge *mck_judge_index_cut(const struct mck_reader *log, uint32_t size, const struct mck_pending *pending) {
  return make_index((struct mck_reader *)log, size, pending);
}

void mck_judge_free(struct mck_judge *j) {
  if (!j) return;
  for (size_t i = 0; i < j->nchannels; i++) free(j->channels[i].runs.items);
  for (size_t i = 0; i < j->nsequences; i++) free(j->sequences[i].runs.items);
  for (uint32_t i = 0; j->windows && i < j->nwins; i++) {
    free(j->windows[i].fences);
    free(j->windows[i].ops);
    free(j->windows[i].accesses);
  }
  mck_parcels_free(&j->parcels);
  mck_parcels_free(&j->verdicts);
  mck_table_free(&j->channel_table);
  mck_table_free(&j->shape_table);
  mck_table_free(&j->sends_table);
  free(j->channels);
  free(j->shapes);
  free(j->wildcards);
  mck_call_table_free(&j->calls);
  free(j->sequences);
  free(j->of_comm);
  free(j->of_win);
  free(j->windows);
  mck_rma_open_free(&j->open);
  free(j->seen);
  free(j);
}
