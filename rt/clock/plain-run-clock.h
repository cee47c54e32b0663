// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector clocks and the late messages of plain runs (order/plain-run.h), in one walk. A send puts its stamp into
// the queue of its channel, and the receive takes it from there. Receives are blocking, so each is complete when the
// next is posted. All values that a message is compared with are final when it comes, and nothing is stored per event.
//
// The findings are those of clock.h for the same logs (test-clock-queues). Most master and worker programs are plain
// runs, and this way costs them half as much.
#pragma once
#include "clock/clock.h"
#include "order/plain-run.h"

// The classes of receives of a log (receive-class.h) are numbered in the order of their first receives.
struct mck_clock_plain_sink {
  void *context;
  // A new class of wildcard receives of this log. e: an event like theirs.
  void (*add_class)(void *context, uint32_t log, const struct mck_event *e);
  // A receive of the class could have got this message (send) instead of its own (got). It is called once for each
  // class and each word of messages.
  void (*alternative)(void *context, uint32_t class, struct mck_pair receive, struct mck_pair got,
                      struct mck_pair send);
  // At the end, for each class: its number of receives, how many of them could have got another message (open), and the
  // most other messages that one of them could have got.
  void (*sum)(void *context, uint32_t log, uint32_t class, uint64_t n, uint64_t open, uint32_t others);
  // For tests, or NULL: of the wildcards of this log, in posted order, first to first + n - 1 could all have got it.
  void (*range)(void *context, uint32_t log, uint32_t first, uint32_t n, struct mck_pair send);
};
enum mck_clock_plain_result {
  MCK_CLOCK_PLAIN_DONE,
  MCK_CLOCK_PLAIN_OTHER, // the run is not plain: its results are void
  MCK_CLOCK_PLAIN_SHORT, // out of memory
};
enum mck_clock_plain_result mck_clock_find_plain(const struct mck_plain_run *plain_run, const struct mck_reader *logs,
                                                 const struct mck_clock_plain_sink *sink);
