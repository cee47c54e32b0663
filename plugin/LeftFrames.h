// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where functions have been left without their end: longjmp returns to setjmp, and an exception goes to its handler.
// The local variables of all functions that were called from there are gone then, though their own code has not said so
// (Scopes.h), also where it was not recompiled. The runtime looks whether MPI may be using some of them (rt/abi.h,
// __mck_left).
#pragma once

namespace llvm {
class Function;
}

namespace mck {

/// Returns true when something was inserted. Adds no blocks.
bool tellLeftFrames(llvm::Function &F);

} // namespace mck
