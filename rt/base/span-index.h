// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Span index: up to 512 numbered byte ranges, and which of them overlap a range. A range of a few lines stands in a
// list of each line that it touches; longer ones are looked through all. So a question about some bytes costs what lies
// on their lines, however many ranges there are. The owner gives the numbers. Callers hold a lock.
#pragma once
#include "base/base.h"

enum { MCK_SPANS = 512, MCK_SPAN_LINES = 4, MCK_SPAN_HEADS = 1024, MCK_SPAN_SHIFT = 6 };
struct mck_span_index { // all zero: empty
  struct {
    uintptr_t low, high; // low == high: not in use
  } spans[MCK_SPANS];
  uint16_t heads[MCK_SPAN_HEADS]; // by line: 1 + number * MCK_SPAN_LINES + which of its lines
  uint16_t next[MCK_SPANS * MCK_SPAN_LINES];
  uint16_t wide[MCK_SPANS]; // numbers of the longer ones
  uint32_t nwide, size;
};

static inline bool mck_span_is_used(const struct mck_span_index *x, uint32_t number) {
  return x->spans[number].low < x->spans[number].high;
}
void mck_span_add(struct mck_span_index *x, uint32_t number, uintptr_t low, uintptr_t high); // low < high; not in use
void mck_span_remove(struct mck_span_index *x, uint32_t number); // no effect if it is not in use
void mck_span_clear(struct mck_span_index *x);
// Writes the numbers of those that overlap [low, high), each once, and returns how many there are.
uint32_t mck_span_find(const struct mck_span_index *x, uintptr_t low, uintptr_t high, uint16_t found[MCK_SPANS]);
