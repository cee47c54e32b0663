// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model: the logs of a run as programs that make the same calls whatever message comes. match-search.h asks it which
// other matches these calls can have, and where that ends (docs/design/prediction.md).
//
// Messages that compete are a class: one receiver, and channels that some receive or probe of it accepts together. Most
// classes are plain. All their receives ask for the same, so it does not matter which message comes first: the k-th
// receive needs k messages. Only in the others, the open classes, a match is a choice.
#pragma once
#include "judge/whole/whole.h"

enum mck_model_kind {
  MCK_MODEL_SEND,
  MCK_MODEL_RECEIVE, // also a matched probe, which takes its message; and a probe with the receive that has its source
  MCK_MODEL_PROBE,
  MCK_MODEL_WAIT,   // for all of its requests; also what another wait or a test completed in the run
  MCK_MODEL_MEETING // a collective
};
struct mck_model_op {
  uint8_t kind;
  bool is_nonblocking;            // it is complete when a WAIT says so
  bool is_synchronous;            // SEND
  bool is_any_source, is_any_tag; // RECEIVE, PROBE
  uint8_t told;                   // ... and what the program looks at of the status: MCK_TOLD_SOURCE, _TAG, _COUNT
  bool is_open;                   // of an open class
  bool may_fail;                  // a test or a nonblocking probe: the program goes on when nothing is complete
  bool is_rooted;                 // MEETING: peer is the root
  uint8_t asked;                  // ... before it completes: by MPI_Request_get_status
  uint32_t index, also;           // its event; the receive of a probe, MCK_NONE: none
  uint32_t comm;                  // of the model
  uint32_t peer;                  // log; MCK_NONE: any, or none
  int32_t tag;                    // of a RECEIVE with any tag: of what it got in the run
  uint32_t counter, place;        // plain class of several senders: its number, and the messages before this one
  struct mck_pair pair;           // log and op: what it was matched with in the run; log MCK_NONE: nothing
  uint32_t first, n;              // WAIT: of its requests; MEETING: of the entries that it needs
  uint32_t others_first, nothers; // WAIT that chose: all requests that it could choose from
  uint64_t bytes;                 // of the message, or the room for it; UINT64_MAX: unknown
};
struct mck_model_log {
  struct mck_model_op *ops;
  size_t nops, capacity;
  bool is_cut; // the log goes on behind its ops: nothing is known of the rank from there on
};
struct mck_model {
  const struct mck_whole *whole;
  uint32_t n;
  struct mck_model_log *logs;
  struct mck_pair *needs; // entries of other logs (log, op)
  size_t nneeds, needs_capacity;
  uint32_t *requests; // ops of the same log
  size_t nrequests, requests_capacity;
  uint32_t ncounters;
  bool has_choice; // some receive of an open class has a choice
};
enum mck_model_result {
  MCK_MODEL_MADE,
  MCK_MODEL_NO_CHOICE, // whatever comes, all calls end as they did
  MCK_MODEL_NOT_MADE,  // there are calls that it cannot follow
  MCK_MODEL_NO_MEMORY
};
// is_single_path: receives whose status the program has seen have a choice, too. most: so many units of the logs are
// read: a beginning of the run.
enum mck_model_result mck_model_make(struct mck_model *model, const struct mck_whole *whole, bool is_single_path,
                                     uint64_t most);
void mck_model_free(struct mck_model *model);
// match-class.c: finds the classes, when all ops are there.
enum mck_model_result mck_model_classify(struct mck_model *model, bool is_single_path);

// Could another message matter in a log with these receives and probes? That is quick, and says yes too often.
struct mck_model_pattern {
  struct mck_event event;
  bool is_choice;
};
struct mck_model_patterns {
  const struct mck_reader *log;    // its definitions are there
  struct mck_model_pattern *items; // different ones
  size_t count, capacity;
  struct mck_table table;
  bool has_choice; // some of them has one
  bool is_full;
};
void mck_model_note(struct mck_model_patterns *patterns, const struct mck_event *e, bool is_single_path);
bool mck_model_competes(const struct mck_model_patterns *patterns);
void mck_model_forget(struct mck_model_patterns *patterns);

// Has this receive a choice of its own? Its call does not tell the program who has sent the message, or tells it later.
static inline bool mck_model_is_choice(const struct mck_model_op *op, bool is_single_path) {
  return op->kind == MCK_MODEL_RECEIVE && op->is_any_source &&
         (!(op->told & MCK_TOLD_SOURCE) || op->is_nonblocking || is_single_path);
}
static inline bool mck_model_accepts(const struct mck_model_op *r, uint32_t from, const struct mck_model_op *send) {
  return MCK_STD_ACCEPTS(r->comm, send->comm, r->is_any_source, r->peer, from, r->is_any_tag, r->tag, send->tag);
}
