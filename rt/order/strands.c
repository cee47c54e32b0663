// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the STRAND events of a log. Numbers of strands become dense. Each piece has the whole clock of its strand: the
// one of the strand's piece before it, and its news.
#include "order/strands.h"
#include <stdlib.h>
#include <string.h>
#include "base/hash-table.h"
#include "order/order.h"

enum { COMPONENTS_MAX = 64 << 20 };

struct numbers { // of strands, dense
  struct mck_table table;
  uint32_t *names;
  size_t count, capacity;
};

static uint32_t number_of(struct numbers *n, uint32_t name) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(name, 0);
  MCK_TABLE_EACH (&n->table, hash, at, id)
    if (n->names[id] == name) return id;
  if (!MCK_PUSH(n->names, n->count, n->capacity, name) || !mck_table_add(&n->table, hash, (uint32_t)n->count - 1))
    return MCK_NONE;
  return (uint32_t)n->count - 1;
}

static const struct mck_strand_news *news_of(const struct mck_event *e) { return (const void *)(e + 1); }

static bool number_all(struct mck_strands *s, const struct mck_reader *log, struct numbers *n) {
  size_t capacity = 0;
  const uint32_t before = MCK_NONE; // the name of no strand
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind != MCK_EV_STRAND) continue;
    if (!s->npieces) {
      struct mck_strand_piece first = {0, number_of(n, before), 0, NULL, MCK_NONE, NULL, 0, MCK_NONE};
      if (first.strand == MCK_NONE || !MCK_PUSH(s->pieces, s->npieces, capacity, first)) return false;
      s->from = e->flags & MCK_STRAND_ONE_CALLS ? MCK_NONE : (uint32_t)i;
    }
    uint32_t strand = number_of(n, e->strand.strand);
    struct mck_strand_piece piece = {(uint32_t)i, strand, e->strand.time, NULL, MCK_NONE, NULL, 0, MCK_NONE};
    if (strand == MCK_NONE || !MCK_PUSH(s->pieces, s->npieces, capacity, piece)) return false;
    for (uint32_t k = 0; k < e->strand.n; k++)
      if (number_of(n, news_of(e)[k].strand) == MCK_NONE) return false;
  }
  s->nstrands = (uint32_t)n->count;
  return true;
}

// Only pieces with calls count: a strand may go on for a moment beside another one, and call nothing.
static bool has_open_order(const struct mck_strands *s, const struct mck_reader *log) {
  uint32_t piece = 0, last = MCK_NONE;
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    if (!mck_order_is_call(&log->events[i])) continue;
    piece = mck_strands_next_piece(s, piece, i);
    if (piece != last && last != MCK_NONE && !mck_strands_piece_is_before(s, last, piece)) return true;
    last = piece;
  }
  return false;
}

static void make_clocks(struct mck_strands *s, const struct mck_reader *log, struct numbers *n) {
  size_t at = 1;
  memset(s->last, 0xff, s->nstrands * sizeof *s->last);
  memset(s->clocks, 0, s->nstrands * sizeof *s->clocks);
  s->pieces[0].clock = s->clocks;
  s->last[0] = 0;
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind != MCK_EV_STRAND) continue;
    struct mck_strand_piece *p = &s->pieces[at];
    uint32_t *clock = s->clocks + at++ * s->nstrands;
    p->clock = clock;
    p->previous = s->last[p->strand];
    if (p->previous != MCK_NONE) memcpy(clock, s->pieces[p->previous].clock, s->nstrands * sizeof *clock);
    else memset(clock, 0, s->nstrands * sizeof *clock), clock[0] = 1;
    if (e->fn) p->name = (const char *)(news_of(e) + e->strand.n), p->name_length = e->fn, p->site = e->site;
    else if (p->previous != MCK_NONE) {
      const struct mck_strand_piece *of = &s->pieces[p->previous];
      p->name = of->name, p->name_length = of->name_length, p->site = of->site;
    }
    for (uint32_t k = 0; k < e->strand.n; k++) {
      uint32_t *of = &clock[number_of(n, news_of(e)[k].strand)], time = news_of(e)[k].time;
      if (time < MCK_NONE && time + 1 > *of) *of = time + 1;
    }
    s->last[p->strand] = (uint32_t)(p - s->pieces);
  }
}

bool mck_strands_read(struct mck_strands *s, const struct mck_reader *log, bool *is_lost) {
  *s = (struct mck_strands){0};
  *is_lost = false;
  if (!(atomic_load(&log->header->is_multiple) & MCK_LOG_STRANDS)) return true;
  struct numbers n = {0};
  bool is_good = number_all(s, log, &n);
  if (is_good && (uint64_t)s->npieces * s->nstrands > COMPONENTS_MAX) {
    *is_lost = true;
    mck_strands_free(s);
  }
  if (is_good && s->npieces) {
    s->last = malloc(s->nstrands * sizeof *s->last);
    s->clocks = malloc(s->npieces * s->nstrands * sizeof *s->clocks);
    is_good = s->last && s->clocks;
    if (is_good) make_clocks(s, log, &n), s->is_open = has_open_order(s, log);
  }
  free(n.names);
  mck_table_free(&n.table);
  if (!is_good) mck_strands_free(s);
  return is_good;
}

void mck_strands_free(struct mck_strands *s) {
  free(s->pieces), free(s->last), free(s->clocks);
  *s = (struct mck_strands){0};
}

uint32_t mck_strands_piece(const struct mck_strands *s, uint64_t index) {
  size_t low = 0, high = s->npieces; // the last piece that begins at index or before it
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (s->pieces[middle].begin <= index) low = middle;
    else high = middle;
  }
  return (uint32_t)low;
}

bool mck_strands_is_before(const struct mck_strands *s, uint64_t a, uint64_t b) {
  if (a >= b) return false;
  if (!s->npieces) return true;
  return mck_strands_piece_is_before(s, mck_strands_piece(s, a), mck_strands_piece(s, b));
}
