// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cause, one finding: drops findings of one mistake that several parts of the tool have made.
#pragma once
#include "report/finding.h"

// Does another finding of the list say the same about the same call, and explain it?
bool mck_finding_is_consequence(const struct mck_findings *list, const struct mck_finding *finding);
