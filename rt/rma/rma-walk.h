// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the walk, shared by known-events.c (what a rank gets to know) and completed-before.c (what is done to
// which bytes).
#pragma once
#include "rma/completed-before.h"
#include "rma/access-intervals.h"

struct mck_walk_log {
  struct mck_clock *clock;
  struct mck_clock **held; // [index]: what an event told
  size_t op, turn, link;   // the next ones
  uint32_t cut;            // mck_order_cut
  uint8_t **locks;         // by window and target: our lock (enum mck_rma_lock); NULL: none so far
};
struct mck_walk_meeting {
  uint64_t id;
  struct mck_clock *joined;
  uint32_t number;
};
struct mck_walk {
  struct mck_rma_run *run;
  struct mck_rma_found found;
  struct mck_chance chance;
  struct mck_walk_log *logs;
  uint32_t *component; // by log
  uint32_t ncomponents;
  struct mck_cover *covers; // by owner
  struct mck_rma_access *accesses;
  size_t naccesses, accesses_capacity;
  uint32_t spare;     // list of free accesses
  uint32_t last_like; // mostly the next one is like it
  struct mck_table like_table, pair_table, stray_table, meeting_table;
  struct mck_walk_meeting *meetings;
  size_t nmeetings, meetings_capacity;
  // The access at hand.
  struct mck_rma_access at;
  uint32_t owner, known; // known: the last event of the owner's log that is known to be over
  const struct mck_win_def *win;
  bool has_strayed, is_whole;              // is_whole: not its bytes, but all of the window in the separate model
  const struct mck_rma_observer *observer; // or NULL
};

static inline bool mck_walk_is_short(const struct mck_walk *w) { return w->run->is_short; }
static inline void mck_walk_fail(struct mck_walk *w) { w->run->is_short = true; }
// known-events.c
void mck_walk_darken(struct mck_walk *w, uint32_t log);
// What others may hear of this event is kept.
void mck_walk_hold(struct mck_walk *w, struct mck_point at, const struct mck_event *e);
// Calls of which the log says no more than that they were made: MPI_Comm_create_group, collectives over files; and
// those that open another world.
bool mck_walk_is_unknown(const struct mck_reader *r, const struct mck_event *e);
void mck_walk_complete(void *context, struct mck_point at, const struct mck_order_done *done); // of the sink
bool mck_walk_also(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of);
