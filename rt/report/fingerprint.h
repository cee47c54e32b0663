// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fingerprints: what a finding has in common in all runs that show the same defect (docs/formats/report.md). No line,
// no rank, no number of ranks, no address and no order of discovery goes in. Baselines, suppressions and viewers of
// SARIF tell by it which findings are known.
#pragma once
#include "report/merge.h"

// Sets the fingerprint of each group, which must be resolved and joined. Without memory a fingerprint stays empty.
void mck_fingerprints_set(struct mck_groups *groups);
// Does this place decide what the finding is? Others are examples, or say where ranks happened to be.
bool mck_place_is_deciding(const struct mck_finding *f, uint32_t place);
