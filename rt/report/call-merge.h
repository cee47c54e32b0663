// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call merge: what is wrong with the buffer of a collective call belongs to the finding that says that its amounts do
// not fit. A count that is too large on one rank is both. The finding of the amounts stays, and gets what was said of
// the buffer as one more reason, so nothing is lost where the two have different causes. Two buffers of a call that are
// too short for the same count are one finding, and so are the calls of threads that the thread level does not allow.
#pragma once
#include "report/merge.h"

// Before the groups are sorted. findings: those that the groups were made of.
void mck_calls_fold(struct mck_groups *groups, struct mck_findings *findings, const struct mck_stack_source *stacks);
