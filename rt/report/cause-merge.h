// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cause, one finding: what several parts of us see of the same mistake.
#pragma once
#include "report/finding.h"

// Another finding of the list says the same about the same call, and why.
bool mck_finding_is_consequence(const struct mck_findings *list, const struct mck_finding *finding);
