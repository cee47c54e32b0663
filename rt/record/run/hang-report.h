// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the watch reports while the run goes on: a rank that keeps the others waiting, and the wait-for graph when
// SIGUSR1 asks for it.
#pragma once
#include "report/finding.h"

void mck_hang_note(void *context, struct mck_findings *findings); // called by the watch, on its thread (watch/watch.h)
size_t mck_hang_where(long pid, char *text, size_t size);         // also for the watch (mck_watch_set_where)
// Reports a deadlock that does not end the run (option on_deadlock), with the process numbers for a debugger. It is
// in no report at the end.
void mck_hang_stay(struct mck_findings *findings);
void mck_hang_listen(void); // handles SIGUSR1, unless the program does
