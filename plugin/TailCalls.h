// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that order threads are no tail calls. The runtime asks by the return address whether the program makes such a
// call (rt/thread/intercept/caller.h). That of a tail call lies in the caller of the function, which may be OpenMP's
// library: then an unlock at the end of a region would not count.
#pragma once

namespace llvm {
class Function;
}

namespace mck {

/// Returns true when something was changed.
bool keepCallers(llvm::Function &F);

} // namespace mck
