// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the room share.
#pragma once
#include "flow/flow.h"
#include "log/content.h"
#include "log/signature.h"
#include "order/meeting.h"

// The CONTENT events of a log, by event, side and peer.
struct mck_flow_key {
  uint32_t event;
  int32_t peer;
  bool is_received;
  uint32_t at;
};
struct mck_flow_log {
  struct mck_flow_key *keys; // sorted
  size_t nkeys, capacity;
  struct mck_signatures types;
  uint32_t *sites; // of operations that a finding names, sorted
  size_t nsites, sites_capacity;
};
struct mck_flow_said {
  struct mck_flow_fault fault; // the first one of the place
  uint32_t sender, send_site, receiver, receive_site;
  int kind, severity;
  size_t finding;
};
// One side of a transfer: a call, and its CONTENT event.
struct mck_flow_side {
  uint32_t log, event;
  const struct mck_event *content;
};
// A transfer that brought other bytes, and its finding.
struct mck_flow_asked {
  size_t finding;
  struct mck_flow_side sent, received;
};
struct mck_flow_run {
  const struct mck_reader *logs;
  size_t n;
  const struct mck_pairs *pairs;
  struct mck_flow_log *of; // [log]
  struct mck_findings *findings;
  struct mck_flow_said *said;
  size_t nsaid, said_capacity;
  struct mck_flow_asked *asked;
  size_t nasked, asked_capacity;
  struct mck_pair *moved; // messages and receives whose match was found by their content (wildcard-flow.c)
  size_t nmoved, moved_capacity;
  uint64_t nopen; // reductions that could not be computed again
};

bool mck_flow_open(struct mck_flow_run *run); // false: out of memory
void mck_flow_close(struct mck_flow_run *run);
// content NULL: there is none.
struct mck_flow_side mck_flow_find(const struct mck_flow_run *run, uint32_t log, uint32_t event, bool is_received,
                                   int32_t peer);
// Has a finding named this call? It explains a difference first.
bool mck_flow_is_explained(const struct mck_flow_run *run, uint32_t log, uint32_t event);

// Do the two agree in type and length, so that the program is right here?
bool mck_flow_fits(const struct mck_flow_run *run, struct mck_flow_side sent, struct mck_flow_side received);
// Compares what fits, and says what differs. what: "message", or the collective's name.
void mck_flow_compare(struct mck_flow_run *run, struct mck_flow_side sent, struct mck_flow_side received);
// A finding about two calls, or NULL: nothing is to be said, or it was said. is_certain: the program cannot have
// changed the buffers. kind: of one place there is one finding of each kind.
enum mck_flow_kind { MCK_FLOW_BYTES, MCK_FLOW_LENGTH, MCK_FLOW_ENVELOPE, MCK_FLOW_RESULT };
struct mck_finding *mck_flow_say(struct mck_flow_run *run, struct mck_flow_side sent, struct mck_flow_side received,
                                 enum mck_flow_kind kind);
bool mck_flow_is_certain(struct mck_flow_side side);
bool mck_flow_is_same(const struct mck_event *a, const struct mck_event *b); // two CONTENT events

void mck_flow_ask_routes(struct mck_flow_run *run, const char *dir); // dir: of the traces; NULL: unknown
void mck_flow_wildcards(struct mck_flow_run *run); // before the messages: mends the pairs where the library lied
void mck_flow_messages(struct mck_flow_run *run);
void mck_flow_collectives(struct mck_flow_run *run);
void mck_flow_windows(struct mck_flow_run *run); // one-sided communication (window-flow.h)
void mck_flow_files(struct mck_flow_run *run);   // accesses to files
// user-reduction.c: one with an operation of the program. inputs: of n numbers of a basic type each, NULL: not kept;
// the result of the first `high` of them, numbers from first on, at one rank. numbers: of each element. false: it could
// not be computed.
struct mck_flow_vector {
  struct mck_flow_side side;
  const uint8_t *bytes;
};
bool mck_flow_user_result(struct mck_flow_run *run, const struct mck_flow_vector *inputs, size_t high, uint64_t n,
                          uint32_t basic, uint32_t numbers, uint64_t first, struct mck_flow_side result);
// One reduction: the calls of those that give, and of those that get the result, in the order of their ranks. In one
// group they are the same; of two, each gets what the other one gives (MPI-3.1 5.2.3).
struct mck_flow_group {
  struct mck_flow_side *members;
  size_t n;
};
void mck_flow_reduction(struct mck_flow_run *run, struct mck_flow_group givers, struct mck_flow_group takers);
