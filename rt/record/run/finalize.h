// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of the run in MPI_Finalize (finalize.c).
#pragma once
#include <stdbool.h>
#include "record/call/call.h"

void mck_finish(struct mck_call *call); // at the begin of MPI_Finalize: leaks, judge, report
// Are loads and stores of window memory in the log, as far as code was recompiled?
bool mck_finish_sees_accesses(void);
void mck_finish_late(void);   // at the end of MPI_Finalize
extern int mck_finish_errors; // of the report that this process wrote; a plain run's exit code (process-end.c)
