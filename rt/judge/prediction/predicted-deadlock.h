// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions: deadlock.alternative from one run, as a warning. If another message comes to a wildcard receive, and all
// ranks go on as they did, they deadlock. The rules are in docs/design/prediction.md.
#pragma once
#include "judge/whole/whole.h"
#include "order/plain-run.h"

// The places of wildcard receives that a prediction is about: log and site.
struct mck_predicted {
  struct mck_pair *places;
  size_t count, capacity;
};
void mck_predict_deadlocks(const struct mck_whole *whole, struct mck_predicted *predicted);
bool mck_predicted_has(const struct mck_predicted *predicted, uint32_t log, uint32_t site);
// Must pairs be made of a plain run, because some of its receives compete?
// logs: their definitions are there.
bool mck_predict_needs_pairs(const struct mck_plain_run *plain_run, const struct mck_reader *logs);
