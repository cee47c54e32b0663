// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tail calls hide their function from stacks: the return address of the callee lies in the caller's caller. A call of
// MPI would have the wrong place, and a finding another stack, and so another fingerprint, at -O2 than at -O0. The
// runtime also asks by the return address whether the program makes a call that orders threads
// (rt/thread/intercept/caller.h). So recompiled code makes no tail calls. Those of functions that may come back to the
// caller stay: programs may rely on it that such a recursion needs no stack.
#pragma once

namespace llvm {
class Module;
}

namespace mck {

/// Returns true when something was changed.
bool keepCallers(llvm::Module &M);

} // namespace mck
