// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether OpenMP's library tells us what it does.
#pragma once
#include <stdbool.h>

extern bool mck_ompt_is_active;
