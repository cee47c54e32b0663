// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races: makes findings of what the lazy clocks (room clock) know of wildcard receives and probes: message.race and
// message.probe-race, one for each place in the program.
#pragma once
#include "judge/whole/whole.h"

void mck_whole_judge_races(const struct mck_whole *whole);
// The same for plain runs, from their plain logs, which it joins; whole->pairs is NULL. Returns false when the run is
// not plain, or out of memory: then it has made no finding.
bool mck_whole_judge_plain_races(const struct mck_whole *whole, struct mck_plain_run *plain_run);
