// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports each wildcard when the walk is over: its value, its witnesses, and what came before its match.
#include <string.h>
#include "base/huge-pages.h"
#include "clock/clock-stamp.h"
#include "order/non-overtaking.h"

static void add_stamps(struct mck_clock *c, uint32_t log, uint32_t index) {
  struct mck_pair send = c->pairs->of[log][index];
  mck_clock_raise(c->scratch, mck_clock_stamp(c, c->by_log[log].stamps[index]), c->ncomponents);
  mck_clock_raise(c->scratch, mck_clock_stamp(c, c->by_log[send.log].stamps[send.index]), c->ncomponents);
}

// Finds the wildcards that must have matched before the k-th one, among those that were pending when it was posted.
static size_t find_before(struct mck_clock *c, uint32_t number, size_t k, uint32_t *before) {
  const struct mck_clock_log *log = &c->by_log[number];
  uint32_t index = log->wildcards[k].index, own = mck_clock_stamp(c, log->stamps[index])[log->component];
  size_t n = 0;
  for (size_t i = k; i-- > 0 && n < MCK_BEFORE_MAX && own <= log->highest[i];) {
    uint32_t other = log->wildcards[i].index;
    if (log->wildcards[i].value < own || c->logs[number].events[other].kind != MCK_EV_RECV) continue;
    bool is_before = mck_overtake_comes_before(&c->logs[number], c->pairs->of[number], other, index);
    for (size_t b = 0; b < n && !is_before; b++)
      is_before = mck_overtake_comes_before(&c->logs[number], c->pairs->of[number], other, before[b]);
    if (is_before) before[n++] = other;
  }
  return n;
}

static void report_wildcard(struct mck_clock *c, uint32_t number, size_t k) {
  enum { WITNESSES_MAX = 64 };
  const struct mck_clock_wildcard *w = &c->by_log[number].wildcards[k];
  uint32_t witnesses[WITNESSES_MAX][2], before[MCK_BEFORE_MAX];
  struct mck_clock_result result = {.receive = {number, w->index},
                                    .component = c->by_log[number].component,
                                    .value = w->value,
                                    .witnesses = witnesses,
                                    .stamp = c->scratch,
                                    .n = c->ncomponents,
                                    .before = before};
  for (uint32_t at = mck_clock_witness_of(&c->by_log[number], k); at != MCK_NONE && result.nwitnesses < WITNESSES_MAX;
       at = c->witnesses[at].next) {
    witnesses[result.nwitnesses][0] = c->witnesses[at].component;
    witnesses[result.nwitnesses++][1] = c->witnesses[at].value;
  }
  result.nbefore = find_before(c, number, k, before);
  memset(c->scratch, 0, c->ncomponents * sizeof *c->scratch);
  add_stamps(c, number, w->index);
  for (size_t i = 0; i < result.nbefore; i++) add_stamps(c, number, before[i]);
  c->sink->wild(c->sink->wild_context, &result);
}

bool mck_clock_find_highest(struct mck_clock_log *log) {
  uint32_t highest = 0;
  if (log->highest) return true;
  if (!(log->highest = mck_base_alloc_large(log->nwildcards * sizeof *log->highest))) return false;
  for (size_t i = 0; i < log->nwildcards; i++) {
    if (log->wildcards[i].value > highest) highest = log->wildcards[i].value;
    log->highest[i] = highest;
  }
  return true;
}

void mck_clock_report_wildcards(struct mck_clock *c) {
  for (uint32_t i = 0; c->sink->wild && i < c->n; i++) {
    if (!mck_clock_find_highest(&c->by_log[i])) c->is_short = true;
    for (size_t k = 0; !c->is_short && k < c->by_log[i].nwildcards; k++) report_wildcard(c, i, k);
  }
}
