// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 3 of the judge, which decides, and what all deciding files share.
#include <stdlib.h>
#include "api/fns.h"
#include "judge/index.h"
#include "judge/parcel/parcel.h"

const char *mck_judge_fn(uint32_t fn) {
  return fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : "an MPI call";
}

const struct mck_parcels *mck_judge_parcels(struct mck_judge *judge) {
  if (!judge->has_parcels) judge->has_parcels = mck_judge_pack(judge);
  return judge->has_parcels ? &judge->parcels : NULL;
}

const struct mck_delivery *mck_decide_find(const struct mck_decide *d, int rank) {
  uint32_t low = 0, high = d->nfrom;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (d->from[middle].rank == rank) return &d->from[middle];
    if (d->from[middle].rank < rank) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

bool mck_decide_has_log(const struct mck_decide *d, int rank) {
  const struct mck_delivery *from = mck_decide_find(d, rank);
  const struct mck_parcel *parcel = mck_parcels_find(d->parcels, rank);
  return from ? from->is_there : !parcel || parcel->data;
}

static void say_malformed(struct mck_decide *d, const struct mck_parcel_of *from) {
  struct mck_finding *f = mck_findings_add(d->findings, MCK_CHECK_INCOMPLETE, (int)d->judge->rank);
  if (!f) return;
  mck_finding_text(f, "what a rank sent for judgement could not be read; nothing is said of its messages");
  mck_finding_why(f, "rank %d to rank %u: %zu malformed bytes", from->rank, d->judge->rank, from->parcel.size);
}

static bool open_deliveries(struct mck_decide *d) {
  d->from = calloc(d->parcels->count + 1, sizeof *d->from);
  for (size_t i = 0; d->from && i < d->parcels->count; i++) {
    const struct mck_parcel_of *sent = &d->parcels->items[i];
    if (!sent->parcel.data) { // a rank without a log
      d->is_complete = false;
      continue;
    }
    struct mck_delivery *from = &d->from[d->nfrom++];
    if (!mck_delivery_open(from, sent->rank, &sent->parcel)) say_malformed(d, sent);
    if (!from->is_there || from->is_partial) d->is_complete = false;
  }
  return d->from != NULL;
}

void mck_judge_decide(struct mck_judge *judge, const struct mck_parcels *from, const struct mck_judge_run *run,
                      struct mck_findings *findings) {
  struct mck_decide d = {.judge = judge,
                         .parcels = from,
                         .size = judge->size,
                         .is_complete = run->is_complete && !judge->is_cut,
                         .is_cut = judge->is_cut,
                         .findings = findings};
  if (!open_deliveries(&d)) {
    mck_base_warn("out of memory: the messages to rank %u are not judged", judge->rank);
    return;
  }
  if (judge->is_partial) d.is_complete = false;
  mck_decide_messages(&d);
  mck_decide_collectives(&d);
  mck_decide_rma(&d);
  judge->has_open_pairs = d.has_open_pairs;
  for (uint32_t i = 0; i < d.nfrom; i++) mck_delivery_close(&d.from[i]);
  free(d.from);
}
