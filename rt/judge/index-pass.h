// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass: the state of index.c's pass over one log, shared with the files that index collectives and windows.
#pragma once
#include "judge/index.h"
#include "order/strands.h"

enum { MCK_PASS_WAYS = 256 }; // a cache of recently used channels, by a few bits of their names

struct mck_pass {
  struct mck_judge *judge;
  struct mck_reader *log;
  uint32_t ways[MCK_PASS_WAYS]; // the number of a channel + 1
  uint32_t index;               // of the current event
  uint32_t released, acquired;  // the last event that may tell other ranks something, or us something of them
  struct {
    uint32_t event, channel;
    size_t run;
    uint64_t number;
  } *probes; // matched probes whose receive is still to come
  size_t nprobes, probes_capacity;
  size_t pending;             // at a cut: the next pending event
  struct mck_strands strands; // where several threads have called MPI
  uint32_t piece;             // of the strands: that of the last event that was asked for
};

// The log's order is one order of the threads' calls. So the order of some calls is known if each of them comes before
// the next one in the order of threads. last: the event of the latest one, + 1.
static inline void mck_pass_note_order(struct mck_pass *pass, uint32_t *last, bool *is_open) {
  if (MCK_LIKELY(!pass->judge->has_threads)) return;
  const struct mck_strands *s = &pass->strands;
  if (*last && !*is_open) {
    pass->piece = mck_strands_next_piece(s, pass->piece, pass->index);
    *is_open = !s->npieces || !mck_strands_piece_is_before(s, mck_strands_piece(s, *last - 1), pass->piece);
  }
  *last = pass->index + 1;
}
// In index-collective.c.
void mck_pass_add_collective(struct mck_pass *pass, const struct mck_event *e);
void mck_pass_free_window(struct mck_pass *pass, const struct mck_event *e);
void mck_pass_add_fence(struct mck_pass *pass, const struct mck_event *e);
// In index-window.c: the events from PUT to FENCE, SYNC and ACCESS.
void mck_pass_add_rma(struct mck_pass *pass, const struct mck_event *e);
// Memory is attached to a dynamic window, or detached from it.
void mck_pass_add_attach(struct mck_pass *pass, const struct mck_event *e);
