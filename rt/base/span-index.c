// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/span-index.h"
#include <string.h>

enum { ASKED = 32 }; // a question about more lines goes through all ranges

static uintptr_t line_of(uintptr_t address) { return address >> MCK_SPAN_SHIFT; }
static bool is_wide(uintptr_t low, uintptr_t high) { return line_of(high - 1) - line_of(low) >= MCK_SPAN_LINES; }

void mck_span_add(struct mck_span_index *x, uint32_t number, uintptr_t low, uintptr_t high) {
  x->spans[number].low = low, x->spans[number].high = high;
  x->size++;
  if (is_wide(low, high)) {
    x->wide[x->nwide++] = (uint16_t)number;
    return;
  }
  uint32_t cell = number * MCK_SPAN_LINES;
  for (uintptr_t line = line_of(low); line <= line_of(high - 1); line++, cell++) {
    uint16_t *head = &x->heads[line % MCK_SPAN_HEADS];
    x->next[cell] = *head;
    *head = (uint16_t)(cell + 1);
  }
}

static void remove_wide(struct mck_span_index *x, uint32_t number) {
  uint32_t i = 0;
  while (x->wide[i] != number) i++;
  x->wide[i] = x->wide[--x->nwide];
}

void mck_span_remove(struct mck_span_index *x, uint32_t number) {
  if (!mck_span_is_used(x, number)) return;
  uintptr_t low = x->spans[number].low, high = x->spans[number].high;
  x->spans[number].low = x->spans[number].high = 0;
  x->size--;
  if (is_wide(low, high)) {
    remove_wide(x, number);
    return;
  }
  uint32_t cell = number * MCK_SPAN_LINES;
  for (uintptr_t line = line_of(low); line <= line_of(high - 1); line++, cell++) {
    uint16_t *at = &x->heads[line % MCK_SPAN_HEADS];
    while (*at != cell + 1) at = &x->next[*at - 1];
    *at = x->next[cell];
  }
}

void mck_span_clear(struct mck_span_index *x) {
  if (x->size) memset(x, 0, sizeof *x);
}

uint32_t mck_span_find(const struct mck_span_index *x, uintptr_t low, uintptr_t high, uint16_t found[MCK_SPANS]) {
  uint32_t n = 0;
  if (!x->size || low >= high) return 0;
  if (line_of(high - 1) - line_of(low) >= ASKED) {
    for (uint32_t i = 0; i < MCK_SPANS; i++)
      if (x->spans[i].low < high && low < x->spans[i].high) found[n++] = (uint16_t)i;
    return n;
  }
  for (uintptr_t line = line_of(low); line <= line_of(high - 1); line++) {
    for (uint32_t cell = x->heads[line % MCK_SPAN_HEADS]; cell; cell = x->next[cell - 1]) {
      uint32_t i = (cell - 1) / MCK_SPAN_LINES;
      uintptr_t first = line_of(x->spans[i].low);
      // On the first line that both touch; other lines may have the same list.
      bool is_first = line == (first > line_of(low) ? first : line_of(low));
      bool is_here = first + (cell - 1) % MCK_SPAN_LINES == line;
      if (is_first && is_here && x->spans[i].low < high && low < x->spans[i].high) found[n++] = (uint16_t)i;
    }
  }
  for (uint32_t k = 0; k < x->nwide; k++) {
    uint32_t i = x->wide[k];
    if (x->spans[i].low < high && low < x->spans[i].high) found[n++] = (uint16_t)i;
  }
  return n;
}
