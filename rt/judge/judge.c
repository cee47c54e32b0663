// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps in a row, and what all deciders share.
#include <stdlib.h>
#include "api/fns.h"
#include "judge/index.h"

const char *mck_judge_fn(uint32_t fn) {
  return fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : "an MPI call";
}

struct mck_parcel *mck_judge_parcels(struct mck_judge *judge) {
  if (!judge->parcels) mck_judge_pack(judge);
  return judge->parcels;
}

void mck_judge_decide(struct mck_judge *judge, const struct mck_parcel *from, const struct mck_judge_run *run,
                      struct mck_findings *findings) {
  struct mck_decide d = {judge, calloc((size_t)judge->size + 1, sizeof *d.from), judge->size, run->is_complete && !judge->is_cut,
                         judge->is_cut, findings};
  if (!d.from) {
    mck_base_warn("out of memory: the messages to rank %u are not judged", judge->rank);
    return;
  }
  for (uint32_t r = 0; r < d.size; r++) {
    if (!mck_delivery_open(&d.from[r], (int)r, &from[r])) {
      struct mck_finding *f = mck_findings_add(findings, MCK_CHECK_INCOMPLETE, (int)judge->rank);
      if (f) {
        mck_finding_text(f, "what a rank sent for judgement could not be read; nothing is said of its messages");
        mck_finding_why(f, "rank %u to rank %u: %zu malformed bytes", r, judge->rank, from[r].size);
      }
    }
    if (!d.from[r].is_there || d.from[r].is_partial) d.is_complete = false;
  }
  if (judge->is_partial) d.is_complete = false;
  mck_decide_messages(&d);
  mck_decide_collectives(&d);
  mck_decide_rma(&d);
  for (uint32_t r = 0; r < d.size; r++) mck_delivery_close(&d.from[r]);
  free(d.from);
}

void mck_judge_logs(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run,
                    struct mck_findings *findings) {
  struct mck_judge_run whole = *run;
  struct mck_judge **by_rank = calloc((size_t)run->size + 1, sizeof *by_rank);
  struct mck_parcel *from = calloc((size_t)run->size + 1, sizeof *from);
  for (size_t i = 0; by_rank && i < n; i++) {
    uint32_t rank = logs[i].header->rank;
    if (rank >= run->size || by_rank[rank]) continue;
    by_rank[rank] = mck_judge_index(&logs[i], run->size);
    if (by_rank[rank] && !mck_judge_parcels(by_rank[rank])) {
      mck_judge_free(by_rank[rank]);
      by_rank[rank] = NULL;
    }
  }
  for (uint32_t r = 0; by_rank && r < run->size; r++)
    if (!by_rank[r] || by_rank[r]->is_partial) whole.is_complete = false;
  for (uint32_t r = 0; by_rank && from && r < run->size; r++) {
    if (!by_rank[r]) continue;
    for (uint32_t s = 0; s < run->size; s++)
      from[s] = by_rank[s] ? by_rank[s]->parcels[r] : (struct mck_parcel){0};
    mck_judge_decide(by_rank[r], from, &whole, findings);
  }
  if (!by_rank || !from) mck_base_warn("out of memory: the messages are not judged");
  for (uint32_t r = 0; by_rank && r < run->size; r++) mck_judge_free(by_rank[r]);
  free(by_rank);
  free(from);
}
