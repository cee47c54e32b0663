// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wildcards: the judge takes the source and tag that a status tells for the match. Where the library told wrong ones,
// that match brings other bytes, or none is left. If the bytes that came are those of another message that the receive
// accepts, that message is the match: the library's answer is at fault, and the two channels are matched again, so that
// no later message is compared with another one. Only logs of one thread are looked at: elsewhere a message without a
// receive may be one whose match is not known.
#include <string.h>
#include "flow/flow-run.h"
#include "log/envelope.h"
#include "report/cause-merge.h"

// Is each message without a partner really alone, as far as this log goes?
static bool is_exact(const struct mck_flow_run *run, size_t log) {
  const struct mck_log_header *h = run->logs[log].header;
  return !run->pairs->facts[log].is_undecided && !run->pairs->strands[log].npieces &&
         !(atomic_load(&h->is_multiple) & MCK_LOG_THREADS) && !atomic_load(&h->is_incomplete);
}
static bool is_seen(const struct mck_flow_run *run, size_t log) {
  return !(atomic_load(&run->logs[log].header->is_multiple) & MCK_LOG_UNSEEN);
}

// --- messages as their receiver sees them ---
// The channel of an event between a sender and the receiver whose log is `to`. key 0: it is none.
struct channel {
  uint64_t key;
  int32_t source, tag; // source: a rank of MPI_COMM_WORLD
};
static struct channel channel_of(const struct mck_flow_run *run, size_t log, const struct mck_event *e, size_t to) {
  const struct mck_comm_def *comm = mck_order_comm(&run->logs[log], e->msg.comm);
  int me = (int)run->logs[log].header->rank, peer = mck_order_peer(&run->logs[log], e);
  bool is_send = e->kind == MCK_EV_SEND;
  if (!comm || !comm->body || (is_send && peer != (int)run->logs[to].header->rank)) return (struct channel){0, -1, -1};
  return (struct channel){comm->body->key, is_send ? me : peer, e->msg.tag};
}
static bool is_same_channel(struct channel a, struct channel b) {
  return a.key == b.key && a.source == b.source && a.tag == b.tag;
}
static bool is_receive(const struct mck_event *e) {
  return (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE) && mck_event_is_known(e);
}

// Has the event no partner, or one whose bytes are others?
static bool is_suspicious(const struct mck_flow_run *run, struct mck_flow_side side) {
  struct mck_pair with = run->pairs->of[side.log][side.event];
  if (with.log == MCK_NONE) return true;
  bool is_received = side.content->flags & MCK_CONTENT_RECEIVED;
  struct mck_flow_side other = mck_flow_find(run, with.log, with.index, !is_received, -1);
  bool is_known = other.content && !(other.content->flags & MCK_CONTENT_UNKNOWN);
  return is_known && !mck_flow_is_same(side.content, other.content);
}

// --- matches that were found by their content ---
static bool is_moved(const struct mck_flow_run *run, uint32_t log, uint32_t event) {
  for (size_t i = 0; i < run->nmoved; i++)
    if (run->moved[i].log == log && run->moved[i].index == event) return true;
  return false;
}
// false: out of memory, or so many are wrong that further ones say nothing new.
static bool move(struct mck_flow_run *run, struct mck_flow_side s, struct mck_flow_side r) {
  enum { MOST = 2 * MCK_SEEMED_MOST };
  struct mck_pair send = {s.log, s.event}, receive = {r.log, r.event};
  if (run->nmoved >= MOST || !MCK_PUSH(run->moved, run->nmoved, run->moved_capacity, send)) return false;
  if (!MCK_PUSH(run->moved, run->nmoved, run->moved_capacity, receive)) return run->nmoved--, false;
  run->pairs->of[s.log][s.event] = receive;
  run->pairs->of[r.log][r.event] = send;
  return true;
}

// Zeros and other repeated bytes are the content of many messages.
static bool is_distinctive(const struct mck_event *content) {
  const uint64_t *words = mck_content_word(content);
  for (uint32_t i = 1; i < content->content.nwords; i++)
    if (words[i] != words[0]) return true;
  return false;
}

// --- a channel without the messages that belong to others ---
static uint32_t next_of(const struct mck_flow_run *run, size_t log, size_t to, struct channel c, uint32_t from,
                        bool is_send) {
  const struct mck_reader *r = &run->logs[log];
  for (uint64_t i = from; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (is_send ? e->kind != MCK_EV_SEND || !mck_event_is_sent(e) : !is_receive(e)) continue;
    if (!is_same_channel(channel_of(run, log, e, to), c) || is_moved(run, (uint32_t)log, (uint32_t)i)) continue;
    return (uint32_t)i;
  }
  return MCK_NONE;
}

static int rank_of(const struct mck_flow_run *run, uint32_t log) { return (int)run->logs[log].header->rank; }

static uint32_t log_of(const struct mck_flow_run *run, int32_t rank) {
  for (size_t i = 0; i < run->n; i++)
    if ((int32_t)run->logs[i].header->rank == rank) return (uint32_t)i;
  return MCK_NONE;
}

// Pairs the k-th send with the k-th receive. The last ones that had no partner are told: the judge blames them.
static void match_again(struct mck_flow_run *run, size_t to, struct channel c, struct mck_finding *f) {
  uint32_t from = log_of(run, c.source), s, r;
  const struct mck_pair none = {MCK_NONE, MCK_NONE};
  if (from == MCK_NONE || !c.key || !is_exact(run, from)) return;
  s = next_of(run, from, to, c, 0, true), r = next_of(run, to, to, c, 0, false);
  while (s != MCK_NONE || r != MCK_NONE) {
    struct mck_pair *send = s != MCK_NONE ? &run->pairs->of[from][s] : NULL,
                    *receive = r != MCK_NONE ? &run->pairs->of[to][r] : NULL;
    const struct mck_reader *sender = &run->logs[from], *receiver = &run->logs[to];
    if (send && send->log == MCK_NONE && receive)
      mck_finding_place(f, c.source, sender->events[s].site, MCK_SEEMED "to be lost: a message of rank %d", c.source);
    if (receive && receive->log == MCK_NONE && send)
      mck_finding_place(f, (int)receiver->header->rank, receiver->events[r].site,
                        MCK_SEEMED "to get no message: a receive of rank %u", receiver->header->rank);
    if (send) *send = receive ? (struct mck_pair){(uint32_t)to, r} : none;
    if (receive) *receive = send ? (struct mck_pair){from, s} : none;
    if (send) s = next_of(run, from, to, c, s + 1, true);
    if (receive) r = next_of(run, to, to, c, r + 1, false);
  }
}

// --- the message that came ---
// The first message to the receiver that no receive has rightly, that this one accepts, and that has its bytes.
static struct mck_flow_side find_message(const struct mck_flow_run *run, struct mck_flow_side r, struct channel told) {
  const struct mck_event *receive = &run->logs[r.log].events[r.event];
  for (size_t i = 0; i < run->n; i++) {
    for (size_t k = 0; k < run->of[i].nkeys; k++) {
      const struct mck_flow_key *key = &run->of[i].keys[k];
      const struct mck_event *e = &run->logs[i].events[key->event];
      if (key->is_received || key->peer != -1 || e->kind != MCK_EV_SEND || !mck_event_is_sent(e)) continue;
      struct channel c = channel_of(run, i, e, r.log);
      struct mck_flow_side s = {(uint32_t)i, key->event, &run->logs[i].events[key->at]};
      bool is_accepted = c.key && c.key == told.key && !is_same_channel(c, told) &&
                         (receive->flags & MCK_FLAG_ANY_SOURCE || c.source == told.source) &&
                         (receive->flags & MCK_FLAG_ANY_TAG || c.tag == told.tag);
      if (is_accepted && !is_moved(run, s.log, s.event) && mck_flow_fits(run, s, r) &&
          mck_content_body(s.content)->length && mck_flow_is_same(s.content, r.content) && is_suspicious(run, s))
        return s;
    }
  }
  return (struct mck_flow_side){MCK_NONE, MCK_NONE, NULL};
}

static void judge_wildcard(struct mck_flow_run *run, struct mck_flow_side r) {
  const struct mck_event *e = &run->logs[r.log].events[r.event];
  struct channel told = channel_of(run, r.log, e, r.log);
  if (!told.key || !is_suspicious(run, r)) return;
  struct mck_flow_side s = find_message(run, r, told);
  uint32_t teller = log_of(run, told.source);
  if (!s.content || !is_exact(run, s.log) || teller == MCK_NONE || !is_exact(run, teller)) return;
  // Calls that nobody saw may be the partners: then the bytes must say more.
  bool is_all_seen = is_seen(run, r.log) && is_seen(run, s.log) && is_seen(run, teller);
  if (!is_all_seen && !is_distinctive(r.content)) return;
  const struct mck_event *sent = &run->logs[s.log].events[s.event];
  struct channel came = channel_of(run, s.log, sent, r.log);
  bool is_lost = run->pairs->of[s.log][s.event].log == MCK_NONE,
       is_alone = run->pairs->of[r.log][r.event].log == MCK_NONE;
  if (!move(run, s, r)) return;
  struct mck_finding *f = mck_flow_say(run, s, r, MCK_FLOW_ENVELOPE);
  if (f) {
    bool is_source = came.source != told.source;
    mck_finding_text(f, "the status names another %s than that of the message that came", is_source ? "source" : "tag");
    mck_finding_why(f, "the status says rank %d and tag %d; the data is that of a message of rank %d with tag %d",
                    told.source, told.tag, came.source, came.tag);
    if (is_lost) mck_finding_place(f, came.source, sent->site, MCK_SEEMED "to be lost: this message");
    if (is_alone) mck_finding_place(f, rank_of(run, r.log), e->site, MCK_SEEMED "to get no message: this receive");
  }
  match_again(run, r.log, told, f);
  match_again(run, r.log, came, f);
}

// A probe has told of a message that its sender never sent.
static void judge_probe(struct mck_flow_run *run, struct mck_flow_side r) {
  const struct mck_event *e = &run->logs[r.log].events[r.event];
  struct channel told = channel_of(run, r.log, e, r.log);
  uint32_t teller = told.key ? log_of(run, told.source) : MCK_NONE;
  if (teller == MCK_NONE || !is_exact(run, teller) || !is_seen(run, teller)) return;
  if (!mck_event_is_known(e)) return;
  if (next_of(run, teller, r.log, told, 0, true) != MCK_NONE) return;
  struct mck_finding *f = mck_flow_say(run, r, r, MCK_FLOW_ENVELOPE);
  mck_finding_text(f, "a probe tells of a message that was not sent");
  mck_finding_why(f, "the status says rank %d and tag %d; rank %d never sent a message with tag %d to this rank",
                  told.source, told.tag, told.source, told.tag);
}

void mck_flow_wildcards(struct mck_flow_run *run) {
  for (size_t i = 0; i < run->n; i++) {
    if (!run->pairs->of[i] || !is_exact(run, i)) continue;
    for (size_t k = 0; k < run->of[i].nkeys; k++) { // in the order of the receives
      const struct mck_flow_key *key = &run->of[i].keys[k];
      const struct mck_event *e = &run->logs[i].events[key->event];
      bool is_wild = key->is_received && key->peer == -1 && is_receive(e) && mck_event_has_wildcard(e->flags);
      struct mck_flow_side r = {(uint32_t)i, key->event, &run->logs[i].events[key->at]};
      if (key->is_received && key->peer == MCK_CONTENT_PROBE) judge_probe(run, r);
      if (is_wild && !(r.content->flags & MCK_CONTENT_UNKNOWN)) judge_wildcard(run, r);
    }
  }
}
