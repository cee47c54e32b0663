// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's variable behind a window's memory (window-variable.c).
#pragma once
#include "object/object.h"
#include "record/call/call.h"

// Writes its name to the log, if recompiled code has named a variable.
void mck_window_name_memory(const struct mck_call *call, const struct mck_window *w);
