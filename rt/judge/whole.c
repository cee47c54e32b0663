// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/whole.h"
#include <string.h>
#include "judge/races.h"
#include "judge/ready.h"
#include "judge/unsafe.h"
#include "rma/rma.h"

static void judge_rma(const struct mck_whole *whole) {
  mck_rma_judge(whole->logs, whole->n, whole->pairs, whole->doubts, whole->findings);
}

static const struct {
  unsigned needs;  // any of them
  void (*judge)(const struct mck_whole *whole);
} analyses[] = {
    {MCK_WHOLE_WILDCARDS, mck_whole_judge_races},
    {MCK_WHOLE_RMA, judge_rma},
    {MCK_WHOLE_SENDS, mck_whole_judge_sends},
    {MCK_WHOLE_READY, mck_whole_judge_ready},
};

unsigned mck_whole_needs(const struct mck_reader *log) {
  unsigned needs = mck_options.decisions[0] ? MCK_WHOLE_WILDCARDS : 0;  // a file is wanted in any case
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (mck_ready_is(e)) needs |= MCK_WHOLE_READY;
    if (mck_order_is_wild(e) && strcmp(mck_options.clocks, "off")) needs |= MCK_WHOLE_WILDCARDS;
    if (mck_options.buffering && mck_unsafe_is_standard(e)) needs |= MCK_WHOLE_SENDS;
  }
  if (mck_rma_is_wanted(log)) needs |= MCK_WHOLE_RMA;
  return needs;
}

void mck_whole_judge(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                     struct mck_findings *findings) {
  struct mck_pairs pairs = {0};
  if (!needs || !n) return;
  if (mck_pairs_make(&pairs, logs, n, true)) {
    struct mck_whole whole = {logs, n, *run, needs, &pairs, mck_order_doubts(logs, n, &pairs), findings};
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++)
      if (needs & analyses[i].needs) analyses[i].judge(&whole);
  } else mck_base_warn("out of memory: the order of messages is not judged");
  mck_pairs_free(&pairs);
}
