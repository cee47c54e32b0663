// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the walk leaves for the report: pairs of accesses that no clock orders.
#pragma once
#include "rma/access.h"
#include "rma/possible-order.h"

struct mck_rma_instance {    // of a pair: two accesses
  uint32_t event_a, event_b; // b came later in the walk
  uint32_t done_log_a, done_a, done_log_b, done_b;
  uint32_t heard;    // what b's rank had heard of the log where a is complete: its events before this one
  uint32_t heard_of; // ... of a's own log
  uint64_t low, high;
};
enum { MCK_RMA_INSTANCES = 8 };
struct mck_rma_pair {   // of likes
  uint32_t a, b, owner; // owner: log of whose memory
  uint32_t count, ninstances;
  enum mck_rma_verdict verdict;
  struct mck_rma_instance instances[MCK_RMA_INSTANCES];
};
// An operation that goes beyond its target's window.
struct mck_rma_stray {
  uint32_t like, event, owner, count, known;
  uint64_t low, high;
}; // known: the last event of the owner's log that its rank had heard of
struct mck_rma_found {
  struct mck_rma_like *likes;
  size_t nlikes, likes_capacity;
  struct mck_rma_pair *pairs;
  size_t npairs, pairs_capacity;
  struct mck_rma_stray *strays;
  size_t nstrays, strays_capacity;
};
// Who looks on: the paper's figures (test-rma-paper), and who wants a chain shown.
struct mck_rma_observer {
  void *context;
  // The clock of a log behind one of its events; component: by log, MCK_NONE: none.
  void (*left)(void *context, uint32_t log, uint32_t index, const struct mck_clock *clock, const uint32_t *component);
  // Behind event to it is known that whatever came before event from (or that one, too) is over.
  void (*heard)(void *context, uint32_t log, uint32_t from, bool is_included, uint32_t to_log, uint32_t to);
  void (*scanned)(void *context, const struct mck_rma_run *run); // last: where operations are complete
};
bool mck_rma_observe(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                     const struct mck_rma_observer *observer);
void mck_rma_tell(struct mck_rma_run *run, const struct mck_rma_found *found, struct mck_chance *chance);
