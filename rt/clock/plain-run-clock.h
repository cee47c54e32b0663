// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues: the vector clocks and the late messages of runs that are plain texts (order/plain-run.h), in one walk. A send
// puts its stamp into its channel's queue, the receive takes it from there. Receives are blocking, so each is complete
// when the next is posted, all values that a message is compared with are final when it comes, and nothing about events
// is kept.
//
// The same findings as clock.h's for the same logs (test-clock-queues); most of master and worker programs are such,
// and they pay half as much.
#pragma once
#include "clock/clock.h"
#include "order/plain-run.h"

// Receives of a log are numbered by their kind (receive-class.h), in the order in which the first of each comes.
struct mck_queues_sink {
  void *context;
  // A new kind of wildcard receives of this log; e: as their events are.
  void (*kind)(void *context, uint32_t log, const struct mck_event *e);
  // One of them could have got this message instead of what it got: told once for each kind and all messages that look
  // alike.
  void (*alternative)(void *context, uint32_t kind, struct mck_pair receive, struct mck_pair got, struct mck_pair send);
  // In the end, of each kind: n receives, of which open could have got another message; up to so many others.
  void (*sum)(void *context, uint32_t log, uint32_t kind, uint64_t n, uint64_t open, uint32_t others);
  // For tests, or NULL: of the wildcards of this log, in its order, first to first + n - 1 could all have got it.
  void (*range)(void *context, uint32_t log, uint32_t first, uint32_t n, struct mck_pair send);
};
enum mck_queues_result {
  MCK_QUEUES_DONE,
  MCK_QUEUES_OTHER, // the run is of another kind: nothing that was told holds
  MCK_QUEUES_SHORT, // of memory
};
enum mck_queues_result mck_queues_find(const struct mck_texts *texts, const struct mck_reader *logs,
                                       const struct mck_queues_sink *sink);
