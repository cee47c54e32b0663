// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what stays of a log at a cut: definitions, what is not settled, and what refers to it, in the old order.
// Matching depends on that order. Only the first entries of each channel and sequence go, so the others keep their
// distances.
#include <stdlib.h>
#include <string.h>
#include "standard/epoch-call.h"
#include "judge/cut/cut.h"
#include "judge/cut/remaining-files.h"
#include "judge/index.h"

enum { UNSYNCED_MAX = 4096 }; // stores that stay since no synchronization came behind them

struct pair {
  uint32_t from, to;
};
struct writer {
  const struct mck_judge *judge;
  struct mck_remaining_log *out;
  uint64_t *seen; // [channel]: how many of its messages were passed
  uint64_t *sequences_seen;
  uint32_t *last_fence; // [window]: the index of its last fence + 1
  uint32_t *last_sync;  // [window]: of its last synchronization
  uint32_t nunsynced;   // stores that stay since none came behind them
  bool has_atomic;      // an atomic access to window memory may order others
  uint32_t *fences_seen;
  bool *is_doubt_kept; // [window]: a synchronization without a partner stays, and is never judged
                       // (rma/operation-completion.c)
  size_t open;         // the next one of judge->open
  struct mck_remaining_files files;
  struct pair *probes;
  size_t nprobes, probes_capacity; // the matched probes that stay
  size_t pending;
  uint32_t index, to; // index: of the current event; to: its new index, or MCK_NONE
  bool is_coll_kept;  // the last COLL stays
  bool is_in_use;     // the event is a request that is under way, or one of its buffers behind it
  bool has_world;     // a call that opens another world stays
  // is_acquired: since the last fence that stays there was a call that may tell us of other ranks
  bool is_epoch_open, is_acquired;
  bool is_settled[2]; // [direction]: all of its messages are settled, so none is looked up; mostly true
  bool is_short;
};

static void keep_units(struct writer *c, const struct mck_event *e, size_t n) {
  struct mck_remaining_log *o = c->out;
  if (!mck_base_grow((void **)&o->events, &o->capacity, o->count + n, sizeof *o->events)) {
    c->is_short = true;
    return;
  }
  memcpy(o->events + o->count, e, n * sizeof *e);
  c->to = (uint32_t)o->count;
  o->count += n;
}

static void keep(struct writer *c, const struct mck_event *e) { keep_units(c, e, 1); }

// Does this message stay?
static bool is_message_kept(struct writer *c, const struct mck_event *e, enum mck_direction direction) {
  enum mck_std_place place = mck_event_place(e);
  if (place == MCK_STD_UNDECIDED) return true; // behind it nothing is known, whatever was settled
  if (place != MCK_STD_TAKES) return false;
  if (c->is_settled[direction]) return false;
  const struct mck_channel *channel = mck_judge_find_channel(c->judge, e, direction);
  return channel && c->seen[channel - c->judge->channels]++ >= channel->matched;
}

// What another world orders is unknown for the rest of the run. One such call is enough to say so.
static void keep_world(struct writer *c, const struct mck_event *e) {
  if (c->has_world || c->to != MCK_NONE || !mck_std_opens_world(e->fn)) return;
  struct mck_event mark = {.kind = MCK_EV_CALL, .fn = e->fn, .site = e->site};
  keep(c, &mark);
  c->to = MCK_NONE;
  c->has_world = true;
}

// In an epoch that stays open, an operation may come after a call that told us of other ranks (fence-sweep.c). One such
// call is enough to say so.
static void note_acquire(struct writer *c, const struct mck_event *e) {
  if (!c->is_epoch_open || c->is_acquired || c->to != MCK_NONE) return;
  // MPI_Win_free would count as a fence of window 0, and not on all ranks.
  bool is_win_free = e->kind == MCK_EV_CALL && mck_std_frees_window(e->fn);
  struct mck_event mark = {.kind = MCK_EV_CALL, .fn = is_win_free ? MCK_FN_MPI_Win_fence : e->fn, .site = e->site};
  keep(c, &mark);
  c->to = MCK_NONE;
  c->is_acquired = true;
}

static void keep_mrecv(struct writer *c, const struct mck_event *e) {
  for (size_t i = 0; i < c->nprobes; i++) {
    if (c->probes[i].from != e->mrecv.mprobe) continue;
    struct mck_event moved = *e;
    moved.mrecv.mprobe = c->probes[i].to;
    keep(c, &moved);
    c->probes[i] = c->probes[--c->nprobes];
    return;
  }
}

static void keep_collective(struct writer *c, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_judge_comm(c->judge, e->coll.comm);
  c->is_coll_kept = false;
  if (!comm || !mck_judge_is_counted(comm, e->fn)) return;
  uint32_t at = c->judge->of_comm[e->coll.comm] - 1;
  if (c->sequences_seen[at]++ >= c->judge->sequences[at].settled) keep(c, e), c->is_coll_kept = true;
}

// Is this event of a window that rt/rma judges, and still open? What is over was judged at this cut, and comes before
// all that is behind the cut.
static bool is_open(struct writer *c) {
  const struct mck_rma_open *o = &c->judge->open;
  while (c->open < o->count && o->events[c->open] < c->index) c->open++;
  return c->open < o->count && o->events[c->open] == c->index;
}

static void keep_rma(struct writer *c, const struct mck_event *e) {
  uint32_t win = e->word[0];
  if (!mck_judge_win(c->judge, win)) return;
  const struct mck_rma_window *w = &c->judge->windows[win];
  switch (e->kind) {
  case MCK_EV_SYNC: {
    bool is_kept = is_open(c), is_exposing = mck_std_has_group(e->fn);
    struct mck_event moved = *e;
    // It can no longer be counted which start this post matches.
    if (is_kept && is_exposing) moved.flags |= MCK_SYNC_DOUBTFUL;
    bool is_doubt = moved.flags & MCK_SYNC_DOUBTFUL;
    if (is_doubt ? !c->is_doubt_kept[win] : is_kept) keep(c, &moved);
    c->is_doubt_kept[win] |= is_doubt;
    break;
  }
  case MCK_EV_FENCE: {
    uint32_t before = w->base + c->fences_seen[win]++;
    if (c->last_fence[win] != c->index + 1) break;
    struct mck_event moved = *e;
    moved.sync.before = before;
    keep(c, &moved);
    c->is_epoch_open = true;
    c->is_acquired = false;
    break;
  }
  default: // operations and accesses of the open epoch
    // The buffer of an operation may lie in a window other than its own.
    if (is_open(c) || (!w->is_locked && c->last_fence[win] && c->last_fence[win] <= c->index)) keep(c, e);
  }
}

// Memory of a window stays freed (rt/rma/freed-memory.c). A fence behind that has told it already.
static bool is_end_of_memory(const struct writer *c, const struct mck_event *e) {
  return e->flags & MCK_ACCESS_FREED && mck_judge_win(c->judge, e->access.win) &&
         c->last_fence[e->access.win] <= c->index;
}

// A store to a shared window that no synchronization has followed: a load behind the cut may lack one
// (rt/rma/missing-sync.c).
static bool is_unsynced(const struct writer *c, const struct mck_event *e) {
  const struct mck_judge *j = c->judge;
  uint32_t win = e->access.win;
  uint8_t strange = MCK_ACCESS_ATOMIC | MCK_ACCESS_VOLATILE | MCK_ACCESS_BUFFER | MCK_ACCESS_FREED | MCK_ACCESS_MESSAGE;
  if (!mck_judge_win(j, win) || !(e->flags & MCK_ACCESS_STORE) || e->flags & strange || c->has_atomic) return false;
  const struct mck_win_def *def = &j->log->wins[win];
  return j->windows[win].is_locked && def->flavor == MCK_WIN_FLAVOR_SHARED && !(def->traits & MCK_WIN_SEPARATE) &&
         c->last_sync[win] && c->last_sync[win] <= c->index && c->nunsynced < UNSYNCED_MAX;
}

static void keep_comm(struct writer *c, const struct mck_event *e) {
  keep_units(c, e, mck_event_units(e));
  uint32_t at = e->def.id < c->judge->log->ncomms ? c->judge->of_comm[e->def.id] : 0;
  if (!at || c->is_short) return;
  struct mck_comm_body body;
  memcpy(&body, c->out->events + c->to + 1, sizeof body);
  body.before += (uint32_t)c->judge->sequences[at - 1].settled;
  memcpy(c->out->events + c->to + 1, &body, sizeof body);
}

static void keep_mprobe(struct writer *c, const struct mck_event *e) {
  keep(c, e);
  struct pair pair = {c->index, c->to};
  if (!MCK_PUSH(c->probes, c->nprobes, c->probes_capacity, pair)) c->is_short = true;
}

// Events of files, and a CALL of an unknown file.
static void keep_files(struct writer *c, const struct mck_event *e) {
  struct mck_event units[2];
  size_t n = mck_remaining_files_put(&c->files, c->index, e, units);
  for (size_t i = 0; i < n; i++) keep(c, &units[i]);
  c->to = MCK_NONE; // no request names one
}

static void keep_send(struct writer *c, const struct mck_event *e) {
  if (is_message_kept(c, e, MCK_OUT)) keep(c, e);
}

static void keep_sync(struct writer *c, const struct mck_event *e) {
  keep_rma(c, e);
  note_acquire(c, e);
}

static void keep_call(struct writer *c, const struct mck_event *e) {
  keep_world(c, e);
  note_acquire(c, e);
}

static void keep_coll(struct writer *c, const struct mck_event *e) {
  keep_collective(c, e);
  keep_call(c, e);
}

static void keep_event(struct writer *c, const struct mck_event *e) {
  switch ((enum mck_event_kind)e->kind) {
  case MCK_EV_PAD:
  case MCK_EV_REPEAT:  // no reader meets it
  case MCK_EV_SETTLED: // written again from the index
  case MCK_EV_FINDING: // written again by the rank that has all findings
  case MCK_EV_FILE_ACCESS:
  case MCK_EV_FILE_VIEW:
  case MCK_EV_FILE_DONE:
  case MCK_EV_FILE_NAME:
  case MCK_EV_FILE_POINTER: break;
  case MCK_EV_RETURN:       // all that returned is judged
  case MCK_EV_CONTENT:      // with option flow there are no cuts
  case MCK_EV_WINDOW_BYTES: // likewise
  case MCK_EV_STRAND:       // the log goes on as one strand; a new one names itself again
  case MCK_EV_MEMBERS:      // belongs to the CALL before it
  case MCK_EV_GROUP: break; // no open epoch needs it, or its window is not judged any more
  case MCK_EV_SEND: keep_send(c, e); break;
  case MCK_EV_RECV:
    if (is_message_kept(c, e, MCK_IN)) keep(c, e);
    note_acquire(c, e);
    break;
  case MCK_EV_MPROBE:
    if (is_message_kept(c, e, MCK_IN)) keep_mprobe(c, e);
    note_acquire(c, e);
    break;
  case MCK_EV_MRECV: keep_mrecv(c, e); break;
  case MCK_EV_COLL: keep_coll(c, e); break;
  case MCK_EV_COLL_ARGS: // belongs to the COLL before it
    if (c->is_coll_kept) keep_units(c, e, mck_event_units(e));
    break;
  case MCK_EV_PROBE:
  case MCK_EV_WAIT:
  case MCK_EV_DONE: note_acquire(c, e); break;
  case MCK_EV_CALL: keep_call(c, e); break;
  case MCK_EV_FENCE:
  case MCK_EV_SYNC: keep_sync(c, e); break;
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC: keep_rma(c, e); break;
  case MCK_EV_ACCESS:
    if (is_end_of_memory(c, e) || (c->is_in_use && e->flags & MCK_ACCESS_BUFFER)) keep(c, e);
    else keep_rma(c, e);
    if (c->to == MCK_NONE && is_unsynced(c, e)) keep(c, e), c->nunsynced++;
    break;
  case MCK_EV_DEF_COMM: keep_comm(c, e); break;
  case MCK_EV_DEF_MODULE:
  case MCK_EV_DEF_STACK:
  case MCK_EV_DEF_TYPE:
  case MCK_EV_DEF_TOPOLOGY:
  case MCK_EV_ATTACH:
  case MCK_EV_WIN_NAME:
  case MCK_EV_COMM_NAME:
  case MCK_EV_TYPE_NAME:
  case MCK_EV_WIN_MEMORY:
  case MCK_EV_DEF_WIN: keep_units(c, e, mck_event_units(e)); break;
  }
}

// Keeps a pending event that is settled. WAIT and DONE events still name it, and nothing follows from it any more.
static void keep_pending(struct writer *c, const struct mck_event *e) {
  const struct mck_judge *j = c->judge;
  while (c->pending < j->npending && j->pending[c->pending] < c->index) c->out->moved[c->pending++] = MCK_NONE;
  bool is_pending = c->pending < j->npending && j->pending[c->pending] == c->index;
  // Buffers in window memory follow their call.
  if (e->kind != MCK_EV_ACCESS && e->kind != MCK_EV_COLL_ARGS)
    c->is_in_use = is_pending && (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV || e->kind == MCK_EV_COLL ||
                                  e->kind == MCK_EV_PAD);
  if (!is_pending) return;
  if (c->to == MCK_NONE) {
    struct mck_event settled = *e;
    settled.kind = MCK_EV_PAD;
    keep(c, &settled);
  }
  c->out->moved[c->pending++] = c->to;
}

// Writes how many messages of each channel were settled, which a finding may say ("rank 1 posts only 12 receives ...").
static void say_settled(struct writer *c) {
  const struct mck_judge *j = c->judge;
  for (size_t i = 0; i < j->nchannels && !c->is_short; i++) {
    const struct mck_channel *channel = &j->channels[i];
    if (channel->direction != MCK_IN || !(channel->base + channel->matched)) continue;
    struct mck_event e = {.kind = MCK_EV_SETTLED, .flags = MCK_FLAG_MATCHED, .site = MCK_NONE};
    e.msg.comm = channel->comm, e.msg.peer = channel->peer, e.msg.tag = channel->tag, e.msg.type = MCK_NONE;
    e.msg.count = channel->base + channel->matched;
    keep(c, &e);
  }
}

static void find_last_syncs(struct writer *c) {
  const struct mck_reader *log = c->judge->log;
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind == MCK_EV_ACCESS) c->has_atomic |= e->flags & MCK_ACCESS_ATOMIC;
    if ((e->kind != MCK_EV_FENCE && e->kind != MCK_EV_SYNC) || !mck_judge_win(c->judge, e->sync.win)) continue;
    c->last_sync[e->sync.win] = (uint32_t)i + 1;
    if (e->kind == MCK_EV_FENCE) c->last_fence[e->sync.win] = (uint32_t)i + 1;
  }
}

bool mck_judge_make_remaining_log(const struct mck_judge *j, struct mck_remaining_log *out) {
  *out = (struct mck_remaining_log){.moved = malloc((j->npending + 1) * sizeof *out->moved)};
  size_t nwins = (size_t)j->log->nwins + 1;
  struct writer c = {.judge = j, .out = out};
  c.seen = calloc(j->nchannels + 1, sizeof *c.seen);
  c.sequences_seen = calloc(j->nsequences + 1, sizeof *c.sequences_seen);
  c.last_fence = calloc(nwins, sizeof *c.last_fence);
  c.last_sync = calloc(nwins, sizeof *c.last_sync);
  c.fences_seen = calloc(nwins, sizeof *c.fences_seen);
  c.is_doubt_kept = calloc(nwins, sizeof *c.is_doubt_kept);
  bool has_files = mck_remaining_files_make(j, &c.files);
  c.is_short = !has_files || !out->moved || !c.seen || !c.sequences_seen || !c.last_fence || !c.last_sync ||
               !c.fences_seen || !c.is_doubt_kept;
  if (!c.is_short && j->log->nwins) find_last_syncs(&c);
  c.is_settled[MCK_OUT] = c.is_settled[MCK_IN] = true;
  for (size_t i = 0; i < j->nchannels; i++)
    if (j->channels[i].matched < j->channels[i].runs.n) c.is_settled[j->channels[i].direction] = false;
  const struct mck_event *events = j->log->events, *e, *last = NULL;
  for (uint64_t i = 0; i < j->log->units && !c.is_short; i += mck_event_units(e)) {
    e = &events[i];
    c.index = (uint32_t)i;
    c.to = MCK_NONE;
    keep_files(&c, e);
    keep_event(&c, e);
    keep_pending(&c, e);
    if (e->kind == MCK_EV_COLL) last = e;
  }
  struct mck_event next;
  if (!c.is_short && mck_remaining_files_end(&c.files, &next)) keep(&c, &next);
  if (!c.is_short) say_settled(&c);
  // Here each rank has heard of all others: its earlier accesses may come before what the others do from now on.
  if (last) keep(&c, &(struct mck_event){.kind = MCK_EV_CALL, .fn = last->fn, .site = last->site});
  free(c.seen);
  free(c.sequences_seen);
  free(c.last_fence);
  free(c.last_sync);
  free(c.fences_seen);
  free(c.is_doubt_kept);
  free(c.probes);
  out->left_out = c.files.left_out;
  mck_remaining_files_free(&c.files);
  return !c.is_short;
}

void mck_remaining_log_free(struct mck_remaining_log *remaining) {
  free(remaining->events);
  free(remaining->moved);
  *remaining = (struct mck_remaining_log){0};
}
