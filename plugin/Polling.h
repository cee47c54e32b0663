// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that wait for a value: in a loop that does nothing but look at them (and let MPI go on) until what is loaded
// ends it. In the unified memory model that is right while others update the place (MPI-3.1 11.7: "This permits polling
// on a location"), so they are signalled as if they were volatile.
#pragma once
#include "Accesses.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class LoopInfo;
}

namespace mck {
void markPolling(llvm::MutableArrayRef<Access> Accesses, const llvm::LoopInfo &Loops);
} // namespace mck
