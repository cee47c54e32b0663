// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the other ranks were when one of them died: those in one call at one place are named together.
#pragma once
#include "judge/whole/log-files.h"

void mck_judge_say_others(struct mck_finding *f, const struct mck_files *files, uint32_t rank);
