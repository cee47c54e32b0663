// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses to window memory of one process, by two processes, that nothing orders (rma.race, rma.atomicity).
#pragma once
#include "static/Warning.h"
#include "static/state/PathWalk.h"

namespace mck::statics {

/// Executes each function that no caller includes and that has one-sided operations, for all ranks of 2 to 5 ranks.
void findRemoteRaces(const Canonical &Code, const Memory &Stored, Warnings &Out);

} // namespace mck::statics
