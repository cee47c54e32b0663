// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order: a logical clock for a time line. The log has no clock, and must not: nothing on the way of a message may read
// one. So each event gets a Lamport time (Lamport 1978) from what must come before it: the events before it in its log,
// the send of the message that it receives, the others' entry into a collective that cannot end before. Lengths mean
// nothing.
//
// The walk goes through all logs at once, each as far as it can; what waits for another log's event is resumed when
// that is reached. Linear in events. In a log that is not whole, or when threads make calls in an order that the log
// does not have, what an event waits for may never come: then the earliest is let go without it, and its arrow is left
// out.
#pragma once
#include "view/pairs.h"

enum mck_arrow { MCK_ARROW_MESSAGE, MCK_ARROW_COLLECTIVE };
struct mck_point {
  uint32_t log, index;
  uint64_t time;
};
// Called log by log in the order of each log, times never going back within one. arrow: after enter and before leave of
// to, from.time < to.time.
struct mck_order_sink {
  void *context;
  void (*enter)(void *context, struct mck_point at);
  void (*arrow)(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to);
  void (*leave)(void *context, struct mck_point at, bool is_finished);  // false: the log ends within this call
};
struct mck_order_totals {
  uint64_t events, messages, collectives, left_out;
};
bool mck_order_walk(const struct mck_view *view, const struct mck_order_sink *sink,
                    struct mck_order_totals *totals);  // false: out of memory
