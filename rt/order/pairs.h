// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs: which send met which receive, event by event. The rule and its limits are the judge's (docs/design/judge.md):
// the k-th send of a channel goes to the k-th posted receive that matched it; behind a wildcard receive whose match is
// not known nothing is said of the channels that it accepts. The judge itself keeps only runs of like messages, from
// which events cannot be named.
#pragma once
#include "log/log.h"

struct mck_pair {
  uint32_t log, index;
}; // of the other side; log MCK_NONE: none, or not known
// What a log has, seen on the way.
struct mck_pairs_facts {
  uint32_t nwilds;      // receives and probes that the program gave a wildcard
  uint64_t nalone;      // sends without a pair
  bool has_any_tag;     // ... MPI_ANY_TAG
  bool has_synchronous; // sends
  bool is_undecided;    // a receive of which nobody knows what it took, if anything
};
enum { MCK_LOOKS = 255 };
struct mck_pairs {
  size_t nlogs;
  struct mck_pairs_facts *facts; // [log]
  struct mck_pair **of;          // [log][index]; set for SEND, RECV, MPROBE, and PROBE (the message that it saw)
  // [log][index]; set for SEND that may have a pair: a number for what it looks like (site, type, tag, count), the same
  // for all sends of the log that look so. MCK_LOOKS: there are more.
  uint8_t **looks;
  uint64_t matched, lost; // messages; sends whose receive was not found
  void *memory;           // of all of and looks
  uint64_t undecided;     // receives of which nothing is said, because of a wildcard before them
};
// is_strict: nothing is said of messages from or to a rank of which several threads called MPI: its log need not be in
// the order of the calls (docs/design/threads.md). false: out of memory; free it all the same.
bool mck_pairs_make(struct mck_pairs *pairs, const struct mck_reader *logs, size_t n, bool is_strict);
void mck_pairs_free(struct mck_pairs *pairs);

// Of events of a log that is not trusted. NULL: not defined.
static inline const struct mck_comm_def *mck_order_comm(const struct mck_reader *log, uint32_t id) {
  return id < log->ncomms && log->comms[id].body ? &log->comms[id] : NULL;
}
// World rank of a message's peer, -1: none.
static inline int mck_order_peer(const struct mck_reader *log, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_order_comm(log, e->msg.comm);
  return comm ? mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0) : -1;
}
// Is it known which message a receive or probe got, or will get: its peer and tag are those of its channel.
static inline bool mck_order_is_known(const struct mck_event *e) {
  return !(e->flags & MCK_FLAG_CANCELLED) &&
         (e->flags & MCK_FLAG_MATCHED || !(e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG)));
}
// What the program said of the message, whether it was replayed or not (receives and probes).
static inline bool mck_order_any_source(const struct mck_event *e) {
  return e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_FORCED_SOURCE);
}
static inline bool mck_order_any_tag(const struct mck_event *e) {
  return e->flags & (MCK_FLAG_ANY_TAG | MCK_FLAG_FORCED_TAG);
}
static inline bool mck_order_is_wild(const struct mck_event *e) {
  return (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE) &&
         (mck_order_any_source(e) || mck_order_any_tag(e));
}
