// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cause, one finding: a deadlock in which ranks stand in a collective that they entered differently is told with
// the collective's finding, which says why.
#pragma once
#include "report/finding.h"

void mck_judge_fold_causes(struct mck_findings *findings);
