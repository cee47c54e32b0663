// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs: which send matched which receive, event by event. The rule and its limits are the judge's
// (docs/design/judge.md): the k-th send of a channel goes to the k-th posted receive that matched it. Behind a wildcard
// receive without a known match nothing is said about the channels that it accepts. The judge itself keeps only runs of
// equal messages, which do not name events.
#pragma once
#include "log/envelope.h"
#include "order/strands.h"

struct mck_pair {
  uint32_t log, index;
}; // the other side; log MCK_NONE: none, or unknown
// Facts about a log, found on the way.
struct mck_pairs_facts {
  uint32_t nwilds;      // receives and probes with a wildcard of the program
  uint64_t nalone;      // sends without a receive
  bool has_any_tag;     // some with MPI_ANY_TAG
  bool has_synchronous; // synchronous sends
  bool is_undecided;    // some receive with an unknown match
};
enum { MCK_LOOKS = 255 };
struct mck_pairs {
  size_t nlogs;
  struct mck_pairs_facts *facts; // [log]
  struct mck_strands *strands;   // [log]
  struct mck_pair **of;          // [log][index]; set for SEND, RECV, MPROBE, and PROBE (the message that it found)
  // [log][index]; set for SEND that may have a pair: a number of its kind, which is equal for all sends of the log with
  // equal site, type, tag and count. MCK_LOOKS: there are more kinds.
  uint8_t **looks;
  uint64_t matched, lost; // messages with a pair; sends whose receive was not found
  void *memory;           // the memory of of and looks
  uint64_t undecided;     // receives whose match is left open because of an earlier wildcard
};
// is_strict: messages from or to a rank with several MPI threads get pairs only where the threads order them, channel
// by channel: its log need not be in the order of the calls (docs/design/threads.md). Returns false when out of memory;
// free it in any case.
bool mck_pairs_make(struct mck_pairs *pairs, const struct mck_reader *logs, size_t n, bool is_strict);
void mck_pairs_free(struct mck_pairs *pairs);

// The communicator of an event, which may be forged. NULL: it is not defined.
static inline const struct mck_comm_def *mck_order_comm(const struct mck_reader *log, uint32_t id) {
  return id < log->ncomms && log->comms[id].body ? &log->comms[id] : NULL;
}
// The world rank of a message's peer; -1: none.
static inline int mck_order_peer(const struct mck_reader *log, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_order_comm(log, e->msg.comm);
  return comm ? mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0) : -1;
}
