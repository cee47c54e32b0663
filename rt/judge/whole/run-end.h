// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the ranks of a run ended: run.died and init.no-finalize, from the logs' headers.
#pragma once
#include "judge/whole/log-files.h"

// Adds one finding for each rank that ended on its own account. When one fails, mpirun kills the others: those are
// not reported, only where they were. Nothing when findings holds a deadlock: that is why the run ended.
void mck_judge_say_deaths(const struct mck_files *files, struct mck_findings *findings);

// A receive that was too small ended its rank: one finding, message.truncated, instead of two. After the judge.
void mck_judge_join_truncations(struct mck_findings *findings);
