// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run interruption: a run that was ended from outside, by a user, a time limit or a batch system. That is no error of
// the program: one note says where each rank was.
#pragma once
#include "judge/whole/log-files.h"

void mck_judge_say_interruption(const struct mck_files *files, struct mck_findings *findings);
