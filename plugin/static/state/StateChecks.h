// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of requests, epochs, handles and buffers on all paths of a function.
#pragma once
#include "static/state/PendingOperation.h"

namespace mck::statics {

/// Walks for each function that no caller includes, and prints what is wrong on some path of it.
/// Missing: calls of which is said already that ranks do not make them.
void findStateErrors(const Canonical &Code, const Memory &Stored, llvm::ArrayRef<MissingCall> Missing, Warnings &Out);

} // namespace mck::statics
