// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last call: where a rank was when its log ended.
#pragma once
#include "log/log.h"

const struct mck_event *mck_judge_last_call(const struct mck_reader *log);  // the last one that was recorded, or NULL
const struct mck_event *mck_judge_blocked_in(const struct mck_reader *log); // the call that blocked the rank, or NULL
