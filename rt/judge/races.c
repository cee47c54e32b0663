// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/races.h"

void mck_whole_judge_races(const struct mck_whole *whole) { (void)whole; }
