// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether OpenMP's library tells us what it does, and whether it has looked for a tool.
#pragma once
#include <stdbool.h>

extern bool mck_ompt_is_active, mck_ompt_was_asked;
