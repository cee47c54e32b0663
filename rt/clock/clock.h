// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clock: the lazy clocks of "Efficient verification of MPI programs with lazy logical clocks" (LLCP, LVCP), computed
// over logs instead of sent with messages. They answer which sends could have matched a wildcard receive or probe
// instead of the one that did. The functions are pure; docs/design/clocks.md has the theory, the proofs' outline, and
// where the methods differ.
//
//   R1  each process has a clock                                  vector: it has one component per owner (below)
//   R2  a wildcard receive that is posted has no value yet        (Pending: order/non-overtaking.h)
//   R3  a message carries its sender's clock at the send          here: the stamp of the send's event
//   R4  a receive that completes gives values, in posted order, to all that must have matched before it
//       (CompleteNow), then to itself; it takes over the clock of its message
//   R5  a collective takes over the clocks of those whose data it needs (order/meeting.h)
//   C9' a synchronous send that is complete tells its sender that the receive has matched
//
// Owners are ranks with wildcard receives, and ranks that send them synchronous messages. The other ranks' components
// are never compared, so they do not exist, and a run without wildcards has no clocks at all.
#pragma once
#include "order/order.h"

enum mck_clock_kind { MCK_CLOCK_VECTOR, MCK_CLOCK_LAMPORT };

struct mck_clock_counts {
  uint64_t wildcards;    // receives and probes that were looked at
  uint64_t alternatives; // pairs of a wildcard and another message that could have matched it
  uint64_t merges;       // clocks taken over: an online tool would have sent them with messages
  uint32_t owners;
  unsigned doubts;   // enum mck_order_doubt
  uint64_t left_out; // edges that could not be followed: then there are no results
  bool is_bounded;   // too many receives overlap: some have no results
};
// A wildcard receive or probe at the end of the walk. An event comes after its match if the event's clock is above
// value in this component, or above one of the witnesses (component, value). So does the match of a later receive of
// the same rank that names it in before.
struct mck_clock_result {
  struct mck_pair receive;
  uint32_t component, value; // value UINT32_MAX: no event of its own log comes after its match
  const uint32_t (*witnesses)[2];
  size_t nwitnesses;
  const uint32_t *stamp; // what came before its match; n components
  uint32_t n;
  // Earlier wildcards that were pending when this one was posted, and must have matched before it (R_m), nearest first.
  // nbefore MCK_BEFORE_MAX: those that are farther away are unknown.
  const uint32_t *before;
  size_t nbefore;
};
enum { MCK_BEFORE_MAX = 256 };
// A wildcard receive or probe with a known match. Those of a log are in posted order. An event comes after the match if
// the component of this log in its clock is above value. UINT32_MAX: no clock is.
struct mck_clock_wildcard {
  uint32_t index, value;
};
struct mck_clock_sink {
  void *context;
  // receive (a RECV, MPROBE or PROBE) could have got the message of send instead. The calls are grouped by receiving
  // log, the receives in no order. Each pair of a receive and a sending rank comes at most once.
  void (*alternative)(void *context, struct mck_pair receive, struct mck_pair send);
  // If it is set, it is called instead of alternative: of this log's wildcards with a known match, first to first + n -
  // 1 could all have got the message.
  void (*range)(void *context, uint32_t log, const struct mck_clock_wildcard *wildcards, uint32_t first, uint32_t n,
                struct mck_pair send);
  // The events that the end of a SYNC event waits for (order/order.h). NULL: they are unknown.
  bool (*also)(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of);
  void *also_context;
  // It is called once for each log, before any result. It is for work that does not need the clocks: other threads do
  // it while one thread walks. May be NULL.
  void (*meanwhile)(void *context, uint32_t log);
  bool is_parallel; // several threads may call alternative or range at once, each with receives of other logs
  // It is called for each wildcard, before the alternatives. May be NULL.
  void (*wild)(void *context, const struct mck_clock_result *result);
  void *wild_context;
  // For tests: the clock with which a call was entered. May be NULL.
  void (*stamp)(void *context, struct mck_pair event, const uint32_t *clock, uint32_t n);
};
// pairs: strict ones (order/pairs.h). Returns false when out of memory.
bool mck_clock_find(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, enum mck_clock_kind kind,
                    const struct mck_clock_sink *sink, struct mck_clock_counts *counts);
