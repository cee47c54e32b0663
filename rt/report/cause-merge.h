// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cause, one finding: drops findings of one mistake that several parts of the tool have made.
#pragma once
#include "report/finding.h"

// Begins the place of a finding flow.content whose message seemed to be lost, or whose receive seemed to get none,
// because the library's answer was wrong.
#define MCK_SEEMED "what seemed "
enum { MCK_SEEMED_MOST = 64 }; // so many wrong answers of a run are followed
// Does another finding of the list say the same about the same call, and explain it?
bool mck_finding_is_consequence(const struct mck_findings *list, const struct mck_finding *finding);
