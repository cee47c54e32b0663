// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the program has threads of OpenMP of whose order nothing is known.
#pragma once
#include "base/base.h"

bool mck_thread_write_unknown(char *text, size_t size); // false: there are none
