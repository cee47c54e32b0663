// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the event of a message says of its match: the flags of log/event.h in the words of standard/matching.h.
#pragma once
#include "log/log.h"
#include "standard/matching.h"

// The wildcards that the library got. It takes part in matching with these.
static inline bool mck_event_has_wildcard(uint8_t flags) { return flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG); }
// The wildcards that the program gave (receives and probes), whether it was a replay or not. These count where it is
// asked which other messages could have come.
static inline bool mck_event_any_source(const struct mck_event *e) {
  return e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_FORCED_SOURCE);
}
static inline bool mck_event_any_tag(const struct mck_event *e) {
  return e->flags & (MCK_FLAG_ANY_TAG | MCK_FLAG_FORCED_TAG);
}
static inline bool mck_event_is_wild(const struct mck_event *e) {
  return (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE) &&
         (mck_event_any_source(e) || mck_event_any_tag(e));
}

// Did a run with decisions choose for it? The library got no wildcard then.
static inline bool mck_event_is_forced(const struct mck_event *e) {
  unsigned asked = e->flags & (MCK_FLAG_FORCED_SOURCE | MCK_FLAG_FORCED_TAG);
  return asked & ~((e->flags & (unsigned)(MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG)) << MCK_FLAG_IGNORED_SHIFT);
}
// Did the program ignore the status of a wildcard whose match is known?
static inline bool mck_event_ignores_status(const struct mck_event *e) {
  unsigned any = e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG);
  return any && (e->flags & any << MCK_FLAG_IGNORED_SHIFT) == any << MCK_FLAG_IGNORED_SHIFT;
}

// A SEND, RECV, PROBE or MPROBE. flags: its flags, from mck_event_flags where its owner may still change them.
static inline struct mck_std_message mck_event_message(const struct mck_event *e, uint8_t flags) {
  bool is_send = e->kind == MCK_EV_SEND, is_told = flags & MCK_FLAG_MATCHED;
  return (struct mck_std_message){.transfer = is_send                    ? MCK_STD_SEND
                                              : e->kind == MCK_EV_RECV   ? MCK_STD_RECEIVE
                                              : e->kind == MCK_EV_MPROBE ? MCK_STD_MATCHED_PROBE
                                                                         : MCK_STD_PROBE,
                                  .cancel = !(flags & MCK_FLAG_CANCELLED) ? MCK_STD_NOT_CANCELLED
                                            : is_told                     ? MCK_STD_MAYBE_CANCELLED
                                                                          : MCK_STD_CANCELLED,
                                  .is_wild = !is_send && mck_event_has_wildcard(flags),
                                  .is_matched = is_told};
}
static inline enum mck_std_place mck_event_place(const struct mck_event *e) {
  return mck_std_place(mck_event_message(e, e->flags));
}
// Of a SEND: was it sent, for all that is known? The outcome of its MPI_Cancel always is.
static inline bool mck_event_is_sent(const struct mck_event *e) {
  bool is_cancelled = e->flags & MCK_FLAG_CANCELLED;
  struct mck_std_message m = {.transfer = MCK_STD_SEND,
                              .cancel = is_cancelled ? MCK_STD_CANCELLED : MCK_STD_NOT_CANCELLED};
  return mck_std_place(m) == MCK_STD_TAKES;
}
// Is the message of a receive or probe known? Then its peer and tag are those of its channel.
static inline bool mck_event_flags_are_known(uint8_t flags) {
  return mck_std_is_known(flags & MCK_FLAG_CANCELLED, mck_event_has_wildcard(flags), flags & MCK_FLAG_MATCHED);
}
static inline bool mck_event_is_known(const struct mck_event *e) { return mck_event_flags_are_known(e->flags); }

// Within one log: communicators by their id, peers by their rank in the communicator.
static inline struct mck_std_end mck_event_end(const struct mck_event *e, bool is_send) {
  return (struct mck_std_end){e->msg.comm, e->msg.peer, e->msg.tag, is_send};
}
// The communicator of a call; MCK_NONE: it has none, or several.
static inline uint32_t mck_event_comm(const struct mck_event *e) {
  if (e->kind == MCK_EV_COLL) return e->coll.comm;
  bool is_message = e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV || e->kind == MCK_EV_PROBE;
  return is_message || e->kind == MCK_EV_MPROBE ? e->msg.comm : MCK_NONE;
}
// Of a receive or probe whose message is known.
static inline struct mck_std_envelope mck_event_envelope(const struct mck_event *e) {
  return (struct mck_std_envelope){e->msg.comm, e->msg.peer, e->msg.tag};
}
// What a receive or probe of the program asks for. comm: its communicator, as the envelopes have it.
static inline struct mck_std_pattern mck_event_pattern(const struct mck_event *e, uint64_t comm) {
  return (struct mck_std_pattern){comm, e->msg.peer, e->msg.tag, mck_event_any_source(e), mck_event_any_tag(e)};
}
// Could a receive have got a message with the envelope that another one of the same log got? The program's wildcards.
static inline bool mck_event_accepts(const struct mck_event *r, const struct mck_event *got) {
  return MCK_STD_ACCEPTS(r->msg.comm, got->msg.comm, mck_event_any_source(r), r->msg.peer, got->msg.peer,
                         mck_event_any_tag(r), r->msg.tag, got->msg.tag);
}
static inline bool mck_event_asks_same(const struct mck_event *a, const struct mck_event *b) {
  return mck_std_is_same_pattern(mck_event_pattern(a, a->msg.comm), mck_event_pattern(b, b->msg.comm));
}
