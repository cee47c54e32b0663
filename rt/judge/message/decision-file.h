// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions: what came to each wildcard receive or probe of a run, and what could have come, written to a file that
// mpirun-check --replay takes (docs/formats/decisions.md). Wildcards are counted per rank, from 1, in the order in
// which they were posted; so the number means the same in a run that went the same way so far.
#pragma once
#include "clock/clock.h"
#include "judge/whole/whole.h"

struct mck_decisions;
// NULL: nobody wants them (option decisions), or they cannot be had.
struct mck_decisions *mck_decisions_open(const struct mck_whole *whole);
void mck_decisions_add(void *decisions, const struct mck_clock_result *told); // mck_clock_sink.wild
void mck_decisions_add_alternative(struct mck_decisions *decisions, struct mck_pair receive, struct mck_pair send);
// Writes the file. is_impossible: no run of the program without decisions can have these messages.
void mck_decisions_close(struct mck_decisions *decisions, bool is_impossible);
// The command that runs the program with this message. false: a recycled log does not tell the number.
bool mck_decisions_command(const struct mck_whole *whole, struct mck_pair receive, struct mck_pair send, char *text,
                           size_t size);
