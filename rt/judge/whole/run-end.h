// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run end: how the ranks of a run ended. Makes the findings run.died and init.no-finalize from the headers of the logs.
#pragma once
#include "judge/whole/log-files.h"

// Adds one finding for each rank that ended by itself. When one rank fails, mpirun kills the others. These have no
// finding, but the finding says where they were. If findings has a deadlock, it is the reason for the end, and nothing
// is added.
void mck_judge_say_deaths(const struct mck_files *files, struct mck_findings *findings);

// A receive that was too small ended its rank: two findings become one, message.truncated or type.mismatch. To be
// called after the judge.
void mck_judge_join_truncations(struct mck_findings *findings);

// A rank crashed in, or right behind, a collective of which the judge says that the ranks do not agree: that may be the
// cause. To be called after the judge.
void mck_judge_point_at_collectives(const struct mck_files *files, struct mck_findings *findings);
