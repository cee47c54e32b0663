// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions: what came to each wildcard receive or probe of a run, and what could have come. They are written to a file
// that mpirun-check --replay takes (docs/formats/decisions.md). The wildcards of a rank are counted from 1, in the
// order in which they were posted. So a number means the same in another run that went the same way up to there.
#pragma once
#include "clock/clock.h"
#include "judge/whole/whole.h"

struct mck_decisions;
// NULL: option decisions asks for no file, or the file cannot be written.
struct mck_decisions *mck_decisions_open(const struct mck_whole *whole);
void mck_decisions_add(void *decisions, const struct mck_clock_result *result); // mck_clock_sink.wild
void mck_decisions_add_alternative(struct mck_decisions *decisions, struct mck_pair receive, struct mck_pair send);
// Writes the file. is_impossible: no run of the program without forced decisions can have these messages.
void mck_decisions_close(struct mck_decisions *decisions, bool is_impossible);
// The command that runs the program with this message. Returns false when the log was recycled and has no number.
// Writes RANK:NUMBER=SOURCE:TAG, what --take needs for this receive to get this message. Returns the length; 0: there
// is no room, or the numbers are unknown.
int mck_decisions_take(const struct mck_whole *whole, struct mck_pair receive, struct mck_pair send, char *text,
                       size_t size);
bool mck_decisions_command(const struct mck_whole *whole, struct mck_pair receive, struct mck_pair send, char *text,
                           size_t size);
