// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What judges in one process send to each other. The parcels stay those of the judges: only the list is to be freed.
#pragma once
#include <stdlib.h>
#include "judge/judge.h"
#include "judge/parcel/parcel.h"

static inline struct mck_parcels sent_to(int rank, struct mck_judge *const *judges, int n) {
  struct mck_parcels all = {0};
  for (int s = 0; s < n; s++) {
    const struct mck_parcels *sent = mck_judge_parcels(judges[s]);
    const struct mck_parcel *parcel = sent ? mck_parcels_find(sent, rank) : NULL;
    if (!sent) abort();
    if (parcel) *mck_parcels_add(&all, s) = *parcel;
  }
  return all;
}
