// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of requests, epochs, handles and buffers on all paths of a function.
#pragma once
#include "static/state/PendingOperation.h"

namespace mck::statics {

/// Walks for each function that no caller includes, and prints what is wrong on some path of it.
void findStateErrors(const Canonical &Code, const Memory &Stored, Warnings &Out);

} // namespace mck::statics
