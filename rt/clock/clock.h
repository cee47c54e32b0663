// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clock: the lazy clocks of "Efficient verification of MPI programs with lazy logical clocks" (LLCP, LVCP), computed
// over logs instead of sent with messages: which sends could have come to a wildcard receive or probe instead of the
// one that did. Pure functions; docs/design/clocks.md has the theory, the proofs' outline, and where the methods
// differ.
//
//   R1  each process has a clock                                  vector: of one component per owner (below)
//   R2  a wildcard receive that is posted has no value yet        (Pending: order/non-overtaking.h)
//   R3  a message carries its sender's clock at the send          here: the stamp of the send's event
//   R4  a receive that completes gives values to all that must have matched before it, in their order (CompleteNow),
//   then
//       to itself, and takes over the clock of its message
//   R5  a collective takes over the clocks of those whose data it needs (order/meeting.h)
//   C9' a synchronous send that is complete tells its sender that the receive has matched
//
// Owners are ranks with wildcard receives, and those that send them synchronous messages: nobody asks about others, so
// they have no component, and a run without wildcards has no clocks at all.
#pragma once
#include "order/order.h"

enum mck_clock_kind { MCK_CLOCK_VECTOR, MCK_CLOCK_LAMPORT };

struct mck_clock_counts {
  uint64_t wildcards;    // receives and probes that were looked at
  uint64_t alternatives; // pairs that were told
  uint64_t merges;       // clocks taken over: what an online tool would have sent with messages
  uint32_t owners;
  unsigned doubts;   // enum mck_order_doubt
  uint64_t left_out; // edges that could not be followed: nothing was told
  bool is_bounded;   // too much overlaps: for some receives nothing was told
};
// A wildcard receive or probe at the end of the walk. What has a clock whose component is above value, or above one of
// the witnesses' (component, value), comes after its match; and so does the match of one posted later by the same rank
// that names it as before.
struct mck_clock_told {
  struct mck_pair receive;
  uint32_t component, value; // value UINT32_MAX: nothing of its own log comes after it
  const uint32_t (*witnesses)[2];
  size_t nwitnesses;
  const uint32_t *stamp; // what came before its match; n components
  uint32_t n;
  const uint32_t *before; // wildcards posted before and pending then whose match must have come before this one (R_m),
                          // nearest
  size_t nbefore;         // first; MCK_BEFORE_MAX: those that are farther away are not known
};
enum { MCK_BEFORE_MAX = 256 };
// A wildcard receive or probe whose match is known, one of those of a log in the order in which they were posted. It
// has matched before whatever knows that: a clock whose own component is above value. UINT32_MAX: nothing of its log
// knows.
struct mck_clock_wild {
  uint32_t index, value;
};
struct mck_clock_sink {
  void *context;
  // receive (a RECV, MPROBE or PROBE) could have got the message of send instead; grouped by receiving log, the
  // receives in no order. Each receive and sending rank at most once.
  void (*alternative)(void *context, struct mck_pair receive, struct mck_pair send);
  // Instead, if it is there: of this log's wildcards, whose match is known, first to first + n - 1 could all have got
  // it.
  void (*range)(void *context, uint32_t log, const struct mck_clock_wild *wilds, uint32_t first, uint32_t n,
                struct mck_pair send);
  // What ends of SYNC events wait for (order/order.h). NULL: nothing is known.
  bool (*also)(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of);
  void *also_context;
  // Called once for each log, before anything is told: what does not need the clocks. The walk is one thread's; others
  // do this meanwhile. May be NULL.
  void (*meanwhile)(void *context, uint32_t log);
  bool is_parallel; // both may be called by several threads at once, each with receives of other logs
  // Each wildcard, before the alternatives. May be NULL.
  void (*wild)(void *context, const struct mck_clock_told *told);
  void *wild_context;
  // For tests: the clock with which a call was entered. May be NULL.
  void (*stamp)(void *context, struct mck_pair event, const uint32_t *clock, uint32_t n);
};
// pairs: strict (order/pairs.h). false: out of memory.
bool mck_clock_find(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, enum mck_clock_kind kind,
                    const struct mck_clock_sink *sink, struct mck_clock_counts *counts);
