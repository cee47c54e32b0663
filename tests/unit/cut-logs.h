// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts logs that were written by hand (judge/cut/cut.h): judges them, and leaves what stays in them.
#pragma once
#include "fake-log.h"
#include "judge/cut/cut.h"
#include "sent-parcels.h"

enum { CUT_RANKS_MAX = 16 };
typedef void cut_judge(const struct mck_reader *readers, int n, struct mck_findings *found);

// Adds what judge finds to all. events: the requests of each rank that are under way, ascending; they become their new
// indices.
static inline void cut_logs_with(struct fake *logs, int n, uint32_t *const *events, const size_t *nevents,
                                 cut_judge *judge, struct mck_findings *all) {
  struct mck_reader readers[CUT_RANKS_MAX];
  struct mck_judge *judges[CUT_RANKS_MAX];
  struct mck_judge_run run = {(uint32_t)n, false};
  struct mck_pending pending[CUT_RANKS_MAX] = {{0}};
  struct mck_findings found = {0}, others = {0};
  struct mck_remaining_log remaining;
  if (n > CUT_RANKS_MAX) abort();
  for (int r = 0; r < n; r++) {
    fake_load(&logs[r], &readers[r]);
    if (events) pending[r] = (struct mck_pending){events[r], nevents[r]};
    judges[r] = mck_judge_index_cut(&readers[r], (uint32_t)n, &pending[r]);
    mck_judge_parcels(judges[r]);
  }
  for (int r = 0; r < n; r++) {
    struct mck_parcels from = sent_to(r, judges, n);
    mck_judge_decide(judges[r], &from, &run, &others);
    free(from.items);
  }
  judge(readers, n, &found);
  mck_findings_merge(all, &found);
  mck_findings_free(&others);
  for (int r = 0; r < n; r++) {
    const struct mck_parcels *verdicts = mck_judge_verdicts(judges[r]);
    for (size_t i = 0; i < verdicts->count; i++)
      if (!mck_judge_take(judges[verdicts->items[i].rank], r, &verdicts->items[i].parcel)) abort();
  }
  for (int r = 0; r < n; r++) {
    if (!mck_judge_make_remaining_log(judges[r], &remaining)) abort();
    if (pending[r].count) memcpy(events[r], remaining.moved, pending[r].count * sizeof *remaining.moved);
    mck_judge_free(judges[r]);
    mck_log_unload(&readers[r]);
    logs[r].units = 0;
    fake_units(&logs[r], remaining.events, (uint32_t)remaining.count);
    logs[r].header->generation++;
    mck_remaining_log_free(&remaining);
  }
}

static inline void cut_logs(struct fake *logs, int n, cut_judge *judge, struct mck_findings *all) {
  cut_logs_with(logs, n, NULL, NULL, judge, all);
}
