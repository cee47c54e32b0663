// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the watch calls on its thread when no rank goes on (watch/watch.h).
#pragma once
#include "report/finding.h"

// A deadlock is proved: ends the run with a report, or only reports (option on_deadlock).
void mck_deadlock_report(void *context, struct mck_findings *findings);
// Nothing is proved: adds a finding if the logs say why no rank goes on. false: they do not.
bool mck_deadlock_find_suspects(void *context, struct mck_findings *findings);
