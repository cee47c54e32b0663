// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walk: the state that walk.c and completion-needs.c share.
#pragma once
#include "order/non-overtaking.h"
#include "order/waiting-logs.h"

struct mck_walk_met { // an event that entered a meeting; .log: the series, .index: the number in it
  uint32_t index;
  struct mck_pair at;
};
struct mck_walk_log {
  const struct mck_reader *reader;
  const struct mck_pair *pairs;
  uint64_t at, time;        // the current event; the end of the one before
  uint64_t *start;          // [index]: its time; NULL: times are not used
  struct mck_walk_met *met; // in the order of the log
  size_t nmet, met_capacity;
  uint32_t part, sub;  // of the current event: the next operation, and the next question about it
  uint64_t end;        // of the current event, as far as known
  uint32_t waits_with; // the operation that the log waits to complete
  uint32_t unfinished; // the event inside which the log ends
  uint32_t half;       // the SEND of the last MPI_Sendrecv
  bool is_entered, is_forced, is_done;
  bool is_stretched; // it was entered inside a stretch
  bool has_strands;
  struct mck_overtake overtake;
};
struct mck_walk {
  const struct mck_reader *readers;
  size_t n;
  const struct mck_order_sink *sink;
  struct mck_order_totals *totals;
  const struct mck_pairs *pairs;
  struct mck_walk_log *logs;
  uint64_t *reached; // [log]: events before this index have been entered
  struct mck_meetings meetings;
  struct mck_waiting_logs waits;
  uint64_t looked;
  uint32_t *ready;
  size_t nready; // a log is ready, waits in one list, or is done
  bool is_short;
};

// Is the log's current event of the part of a log with strands, in which blocking calls are over with their RETURN?
static inline bool mck_walk_returns_later(const struct mck_walk *w, uint32_t number) {
  const struct mck_strands *s = &w->pairs->strands[number];
  return MCK_UNLIKELY(s->npieces) && w->logs[number].at >= s->from;
}

static inline bool mck_walk_is_receive(const struct mck_event *e) {
  return e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE;
}

// completion-needs.c
enum mck_walk_answer { MCK_WALK_READY, MCK_WALK_BLOCKED, MCK_WALK_NOTHING_THERE };

struct mck_walk_question {
  bool is_meeting;
  uint32_t op;
  struct mck_pair of;
  enum mck_std_needs needs;
};

bool mck_walk_is_synchronous(const struct mck_walk *w, uint32_t log, uint32_t index);
uint64_t mck_walk_time_of(const struct mck_walk *w, struct mck_pair event); // UINT64_MAX: the event was not entered
// The k-th operation that ends with the current event: the event itself if it blocks, or one that it waits for. Returns
// false where there is no k-th; op MCK_NONE: it is unknown.
bool mck_walk_part_of(const struct mck_walk *w, uint32_t number, uint32_t k, uint32_t *op);
// The k-th event that the completion of this operation waits for: its other side first, then the sends of earlier
// matches.
bool mck_walk_question_of(struct mck_walk *w, uint32_t number, uint32_t op, uint32_t k, struct mck_walk_question *q);
enum mck_walk_answer mck_walk_ask(struct mck_walk *w, uint32_t number, struct mck_walk_question q,
                                  struct mck_point *from);
// The receives that must have matched when this operation's message did. *owner: their log.
bool mck_walk_has_before(const struct mck_walk *w, uint32_t number, const struct mck_event *e);
const uint32_t *mck_walk_find_before(struct mck_walk *w, uint32_t number, uint32_t op, uint32_t *owner, size_t *n);
