// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The returns of main: the runtime gets to know by which of them the program ends (rt/abi.h, __mck_main_returns). When
// its handler of exit runs, main's frame is gone, so nothing else could tell it.
#pragma once

namespace llvm {
class Module;
}

namespace mck {

/// Marks them where the source has them: the optimizer makes one return of several. Returns true when something was
/// inserted. Adds no blocks.
bool tellMainReturns(llvm::Module &M);

} // namespace mck
