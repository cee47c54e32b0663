// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages: each send with the receive that it matched. What the status tells is compared, too.
#include <inttypes.h>
#include "flow/flow-run.h"
#include "log/envelope.h"

// What a receive said that the program asked for: a wildcard is what the status told.
static bool check_envelope(struct mck_flow_run *run, struct mck_flow_side s, struct mck_flow_side r) {
  const struct mck_event *e = &run->logs[r.log].events[r.event];
  const struct mck_content_body *body = mck_content_body(r.content);
  if (body->status_bytes == UINT64_MAX) return true; // no status was there
  bool is_source = e->flags & MCK_FLAG_ANY_SOURCE || body->status_source == e->msg.peer;
  bool is_tag = e->flags & MCK_FLAG_ANY_TAG || body->status_tag == e->msg.tag;
  if (is_source && is_tag) return true;
  struct mck_finding *f = mck_flow_say(run, s, r, MCK_FLOW_ENVELOPE);
  if (!f) return false;
  if (!is_source) mck_finding_text(f, "the status names another source than the receive asked for");
  else mck_finding_text(f, "the status names another tag than the receive asked for");
  mck_finding_why(f, "the status says source %d and tag %d, the receive asked for source %d and tag %d",
                  body->status_source, body->status_tag, e->msg.peer, e->msg.tag);
  return false;
}

// The bytes of all elements that the buffer has room for.
static uint64_t room_of(const struct mck_flow_run *run, struct mck_flow_side r) {
  struct mck_signature all = mck_signature_of(&run->of[r.log].types, r.content->content.type,
                                              mck_content_body(r.content)->count);
  return all.bytes;
}

static bool check_length(struct mck_flow_run *run, struct mck_flow_side s, struct mck_flow_side r) {
  uint64_t told = mck_content_body(r.content)->status_bytes, sent = mck_content_body(s.content)->length;
  if (told == UINT64_MAX || told == sent) return true;
  struct mck_finding *f = mck_flow_say(run, s, r, MCK_FLOW_LENGTH);
  if (!f) return false;
  mck_finding_text(f, "the status tells another length than was sent");
  mck_finding_why(f, "%" PRIu64 " bytes were sent, the status tells %" PRIu64, sent, told);
  return false;
}

static void judge_pair(struct mck_flow_run *run, uint32_t log, uint32_t index, struct mck_pair with) {
  struct mck_flow_side s = mck_flow_find(run, log, index, false, -1),
                       r = mck_flow_find(run, with.log, with.index, true, -1);
  if (!mck_flow_fits(run, s, r)) return;
  if (mck_content_body(s.content)->length > room_of(run, r)) return; // message.truncated
  if (check_envelope(run, s, r) && check_length(run, s, r)) mck_flow_compare(run, s, r);
}

// What a probe told of the message that is next.
static void judge_probe(struct mck_flow_run *run, uint32_t log, uint32_t index, struct mck_pair with) {
  struct mck_flow_side r = mck_flow_find(run, log, index, true, MCK_CONTENT_PROBE),
                       s = mck_flow_find(run, with.log, with.index, false, -1);
  bool is_known = s.content && !(s.content->flags & MCK_CONTENT_UNKNOWN);
  if (is_known && check_envelope(run, s, r)) check_length(run, s, r);
}

void mck_flow_messages(struct mck_flow_run *run) {
  for (size_t i = 0; i < run->n; i++) {
    const struct mck_reader *log = &run->logs[i];
    for (size_t k = 0; k < run->of[i].nkeys; k++) {
      const struct mck_flow_key *key = &run->of[i].keys[k];
      bool is_send = !key->is_received && log->events[key->event].kind == MCK_EV_SEND;
      bool is_probe = key->is_received && key->peer == MCK_CONTENT_PROBE;
      if (!run->pairs->of[i] || (!is_send && !is_probe)) continue;
      struct mck_pair with = run->pairs->of[i][key->event];
      if (with.log == MCK_NONE) continue;
      if (is_send) judge_pair(run, (uint32_t)i, key->event, with);
      else judge_probe(run, (uint32_t)i, key->event, with);
    }
  }
}
