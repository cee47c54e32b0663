// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 3 of the judge, which decides, and what all deciding files share.
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
  struct mck_decide d = {judge,         calloc((size_t)judge->size + 1, sizeof *d.from),
                         judge->size,   run->is_complete && !judge->is_cut,
                         judge->is_cut, false,
                         findings};
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
  judge->has_open_pairs = d.has_open_pairs;
  for (uint32_t r = 0; r < d.size; r++) mck_delivery_close(&d.from[r]);
  free(d.from);
}
