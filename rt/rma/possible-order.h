// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Possible order: orders that the logs do not have. Exclusive locks let their holders in one after the other, and an
// atomic operation may have read what another one wrote, so that what was done before the one is known behind the
// other. Which of them came first only the run knew. Where a chain of such steps and of known edges may lead from one
// access to the other, in either direction, nothing is said of the two: MPI_Win_lock as a mutex, and the locks, flags
// and queues that programs build from MPI_Compare_and_swap and MPI_Fetch_and_op (MPI-3.1, examples 11.17 to 11.22).
#pragma once
#include "rma/completed-clock.h"
#include "rma/rma-run.h"

// A line is a log, or one strand of a log. Of two events of a line the later one comes behind the other in every run.
struct mck_possible_edge {
  uint32_t line, from, to_line, to; // to_line MCK_NONE: to the collective instance of that number
};
struct mck_possible_exit { // from a collective instance
  uint32_t instance, to_line, to;
};
// By what an order of sections becomes one of accesses.
enum mck_possible_way {
  MCK_POSSIBLE_READ, // the later one may have read what the earlier one wrote: so it is in every run that goes like
                     // this
  MCK_POSSIBLE_TURN  // the earlier one was over: in another run the turns may be the other way
};
struct mck_possible_order {
  const struct mck_rma_run *run;
  const uint32_t *component; // by log; MCK_NONE: it has several strands, or is not known
  const uint32_t *strands;   // by log: the component of its first strand; MCK_NONE: it is one strand
  struct mck_clock **clocks; // by section: when it was entered
  struct mck_possible_edge *edges;
  size_t nedges, edges_capacity;
  struct mck_possible_exit *exits;
  size_t nexits, exits_capacity;
  uint32_t ninstances, nlines;
  uint32_t *line;                     // by log: its first line
  enum mck_possible_way way;          // of the search at hand, ...
  uint32_t from_log, began;           // ... where the access is over; what was read in this log before began counts
  struct mck_possible_search *search; // made with the first question
  struct mck_meeting_search *meeting; // possible-meeting.c; made with the first question
  uint32_t *unknown;                  // by log: from this event on its rank may know everything
  bool is_short;
};

bool mck_possible_open(struct mck_possible_order *possible, const struct mck_rma_run *run, const uint32_t *component,
                       const uint32_t *strands);
// Who is behind event to of a log knows what came before event from of another log or strand, or that event itself,
// too.
void mck_possible_add_edge(struct mck_possible_order *possible, uint32_t log, uint32_t from, bool is_included,
                           uint32_t to_log, uint32_t to);
void mck_possible_add_exit(struct mck_possible_order *possible, uint32_t instance, uint32_t to_log, uint32_t to);
// Of a log the first event counts.
static inline void mck_possible_note_unknown(struct mck_possible_order *possible, uint32_t log, uint32_t event) {
  if (possible->unknown[log] == MCK_NONE) possible->unknown[log] = event;
}
// Once all edges are there: may an access that is over with event over of a log have been known (or have been over)
// before event to of another log? began: its own event, and process: the log of that.
struct mck_possible_access {
  uint32_t process, began, log, over;
};
bool mck_possible_is_ordered(struct mck_possible_order *possible, enum mck_possible_way way,
                             struct mck_possible_access access, uint32_t to_log, uint32_t to);
void mck_possible_close(struct mck_possible_order *possible);
