// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common cause: a deadlock of ranks in collectives that they entered differently becomes part of the collective's
// finding, which says why.
#pragma once
#include "report/finding.h"

void mck_judge_fold_causes(struct mck_findings *findings);
