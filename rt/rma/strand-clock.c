// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clocks of a log's strands: of each the walk has one, and the log's clock is that of the strand whose event it is
// at. Where a strand has learned of others (order/strands.h), its clock takes over theirs, as they were at the end of
// the last piece that it knows of.
//
// A strand may learn of another one of its process by messages, too. So which operations of others its flush completes
// is known when the walk comes to the flush.
#include <stdlib.h>
#include <string.h>
#include "rma/rma-walk.h"

bool mck_walk_open_strands(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *l = &w->logs[number];
  l->strands = mck_rma_strands(w->run, number);
  if (!l->strands) return true;
  l->of_strand = calloc(l->strands->nstrands, sizeof *l->of_strand);
  l->of_piece = calloc(l->strands->npieces, sizeof *l->of_piece);
  l->last = malloc(l->strands->nstrands * sizeof *l->last);
  if (!l->of_strand || !l->of_piece || !l->last) return false;
  size_t nops = w->run->logs[number].nops;
  if (!(l->end_of = malloc((nops + 1) * sizeof *l->end_of))) return false;
  memset(l->end_of, 0xff, nops * sizeof *l->end_of);
  memset(l->last, 0xff, l->strands->nstrands * sizeof *l->last);
  for (uint32_t i = 0; i < l->strands->nstrands; i++) {
    l->of_strand[i] = mck_clock_new(w->ncomponents);
    if (!l->of_strand[i]) return false;
  }
  return true;
}

void mck_walk_close_strands(struct mck_walk_log *l) {
  for (uint32_t i = 0; l->of_strand && i < l->strands->nstrands; i++) mck_clock_drop(l->of_strand[i]);
  for (size_t i = 0; l->of_piece && i < l->strands->npieces; i++) mck_clock_drop(l->of_piece[i]);
  free(l->of_strand), free(l->of_piece), free(l->last), free(l->end_of), free(l->ends);
}

// The last piece of a strand before piece, at a moment below time; MCK_NONE: none.
static uint32_t known_piece(const struct mck_strands *s, const uint32_t *last, uint32_t strand, uint32_t time) {
  uint32_t at = last[strand];
  while (at != MCK_NONE && s->pieces[at].time >= time) at = s->pieces[at].previous;
  return at;
}

static void begin_piece(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *l = &w->logs[number];
  const struct mck_strands *s = l->strands;
  const struct mck_strand_piece *p = &s->pieces[l->piece];
  const uint32_t *before = p->previous == MCK_NONE ? NULL : s->pieces[p->previous].clock;
  mck_clock_drop(l->clock);
  l->clock = mck_clock_share(l->of_strand[p->strand]);
  for (uint32_t t = 0; t < s->nstrands; t++) {
    if (t == p->strand || p->clock[t] <= (before ? before[t] : 0)) continue;
    uint32_t from = known_piece(s, l->last, t, p->clock[t]);
    if (from == MCK_NONE) continue;
    if (!mck_clock_join(&l->clock, w->ncomponents, l->of_piece[from], w->strands[number] + t,
                        s->pieces[from + 1].begin))
      mck_walk_fail(w);
    mck_possible_add_edge(&w->possible, number, s->pieces[from + 1].begin - 1, true, number, p->begin);
  }
}

static void complete_unsure(struct mck_walk *w, struct mck_point at) {
  struct mck_walk_log *l = &w->logs[at.log];
  const struct mck_rma_log *log = &w->run->logs[at.log];
  for (; l->unsure < log->nunsure && log->unsure[l->unsure].at <= at.index; l->unsure++) {
    const struct mck_rma_unsure *u = &log->unsure[l->unsure];
    uint32_t event = log->ops[u->op].event;
    if (u->at != at.index || l->clock->known[mck_walk_component(w, at.log, event)] <= event) continue;
    struct mck_walk_end new = {at.index, l->end_of[u->op], u->is_at_target};
    if (!MCK_PUSH(l->ends, l->nends, l->ends_capacity, new)) mck_walk_fail(w);
    else l->end_of[u->op] = (uint32_t)l->nends - 1;
  }
}

bool mck_walk_knows_end(const struct mck_walk *w, const struct mck_rma_access *a, uint32_t log) {
  const struct mck_access_class *class = &w->found.classes[a->class];
  uint32_t of = class->what.process, event = a->event;
  const struct mck_walk_log *l = &w->logs[of];
  if (!l->strands) return false;
  bool is_buffer = class->what.is_buffer;
  const struct mck_event *e = &w->run->readers[of].events[event];
  if (is_buffer && !(e->flags & MCK_ACCESS_BUFFER)) return false; // of a blocking call: over at once
  const struct mck_rma_op *op = mck_rma_op_at(&w->run->logs[of], event);
  for (; is_buffer && event && !op; event--) op = mck_rma_op_at(&w->run->logs[of], event - 1); // right before it
  if (!op) return false;
  for (uint32_t i = l->end_of[op - w->run->logs[of].ops]; i != MCK_NONE; i = l->ends[i].previous) {
    const struct mck_walk_end *end = &l->ends[i];
    if (!end->is_at_target && !is_buffer) continue;
    if (of == log && mck_walk_is_own(w, log, end->event)
            ? end->event < w->at.event
            : w->logs[log].clock->known[mck_walk_component(w, of, end->event)] > end->event)
      return true;
  }
  return false;
}

void mck_walk_follow_strand(struct mck_walk *w, struct mck_point at) {
  struct mck_walk_log *l = &w->logs[at.log];
  const struct mck_strands *s = l->strands;
  while (!mck_walk_is_short(w) && l->piece + 1 < s->npieces && s->pieces[l->piece + 1].begin <= at.index) {
    uint32_t strand = s->pieces[l->piece].strand;
    mck_clock_drop(l->of_strand[strand]);
    l->of_strand[strand] = mck_clock_share(l->clock);
    l->of_piece[l->piece] = mck_clock_share(l->clock);
    l->last[strand] = l->piece++;
    begin_piece(w, at.log);
  }
  complete_unsure(w, at);
}
