// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strands: the order of the events of one process whose threads and tasks make them (event.h, STRAND). The log is
// in one order of which the strands' order is a part: two events of different strands are ordered only where the
// threads synchronized between them. A log without STRAND events is one strand.
//
// A piece is what lies between two STRAND events; the first one is what lies before them, as a strand of its own that
// all others know. A strand's clock (Fidge, Mattern) says up to which moment of each
// other strand everything comes before its piece.
#pragma once
#include "log/log.h"

struct mck_strand_piece {
  uint32_t begin;             // index of its STRAND event
  uint32_t strand, time;      // strand: a number below nstrands
  const uint32_t *clock;      // [strand]: moments below this one come before the piece
  uint32_t previous;          // the strand's piece before it; MCK_NONE: none
  const char *name;           // as users know it, not terminated; NULL: not known
  uint32_t name_length, site; // site: where it began; MCK_NONE: not known
};
struct mck_strands {
  struct mck_strand_piece *pieces;
  size_t npieces; // 0: the log is one strand
  uint32_t from;  // the first STRAND event. A call behind it that blocks is over with its RETURN, not with its event.
                  // MCK_NONE: all calls are of one strand, and are over with their events
  uint32_t nstrands;
  bool is_open;   // nothing orders two calls, one behind the other: in another run their order may be another one
  uint32_t *last; // [strand]: its last piece
  uint32_t *clocks;
};
// false: out of memory. What is too large to be held (more than 64 million components) is one strand, and *is_lost.
bool mck_strands_read(struct mck_strands *strands, const struct mck_reader *log, bool *is_lost);
void mck_strands_free(struct mck_strands *strands);
// The piece that an event is in.
uint32_t mck_strands_piece(const struct mck_strands *strands, uint64_t index);
static inline uint32_t mck_strands_of(const struct mck_strands *s, uint64_t index) {
  return s->npieces ? s->pieces[mck_strands_piece(s, index)].strand : 0;
}
// The same, where the event behind it was in this piece: for those that go through the log.
static inline uint32_t mck_strands_next_piece(const struct mck_strands *s, uint32_t piece, uint64_t index) {
  while (piece + 1 < s->npieces && s->pieces[piece + 1].begin <= index) piece++;
  return piece;
}
static inline bool mck_strands_piece_is_before(const struct mck_strands *s, uint32_t a, uint32_t b) {
  const struct mck_strand_piece *of_a = &s->pieces[a], *of_b = &s->pieces[b];
  return of_a->strand == of_b->strand || of_b->clock[of_a->strand] > of_a->time;
}
// Is the order of the log the order of its threads?
static inline bool mck_strands_are_total(const struct mck_strands *s) { return s->npieces && !s->is_open; }
// Is event a of the log ordered before event b by its threads?
bool mck_strands_is_before(const struct mck_strands *strands, uint64_t a, uint64_t b);
