// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that the compiler warned of (warning-abi.h, plugin/static). Code that is about to execute one sets a byte. The
// bytes lie in the header of the log, so they outlive the process, however it dies.
#pragma once

void mck_warned_begin(void);  // the log was made: it gets the places of all objects that are loaded
void mck_warned_switch(void); // the log has another file now (log/log-recycle.h)
void mck_warned_finish(void); // before the judge: the findings get what was executed
