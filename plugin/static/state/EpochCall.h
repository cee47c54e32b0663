// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rt/standard's questions about synchronization of windows, for C++: its compiler minds what C's does not.
#pragma once
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wextra"
extern "C" {
#include "standard/epoch-call.h"
}
#pragma GCC diagnostic pop
