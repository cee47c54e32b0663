// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations order threads (C11 5.1.2.4, C++ [intro.races], OpenMP 5.2 1.4.5). Where several threads live, the
// runtime gets to know of each one (rt/abi.h, __mck_atomic): before it, if it may publish something, and behind it, if
// it may have seen what another one published.
#pragma once

namespace llvm {
class Function;
}

namespace mck {

/// Returns true when something was inserted. Adds blocks.
bool signalAtomics(llvm::Function &F);

} // namespace mck
