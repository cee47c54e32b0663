// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races: what the lazy clocks (room clock) know of wildcard receives and probes, as findings: message.race and
// message.probe-race, one per place in the program.
#pragma once
#include "judge/whole/whole.h"

void mck_whole_judge_races(const struct mck_whole *whole);
// The same for plain runs, from their texts, which it joins; whole->pairs is NULL. false: it is another run, or memory
// is short; nothing was told.
bool mck_whole_judge_plain_races(const struct mck_whole *whole, struct mck_texts *texts);
