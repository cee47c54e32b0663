// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polling: loads in a loop that does nothing but repeat them (and let MPI make progress) until the loaded value ends
// the loop. In the unified memory model this is right while other processes update the location (MPI-3.1 11.7: "This
// permits polling on a location"). So these loads are signalled as if they were volatile.
#pragma once
#include "Accesses.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class LoopInfo;
}

namespace mck {
void markPolling(llvm::MutableArrayRef<Access> Accesses, const llvm::LoopInfo &Loops);
} // namespace mck
