// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loops that ask MPI again and again (MPI_Test, MPI_Iprobe, ...) and that nothing but MPI can end, and lets the
// program tell the runtime before each call that it is in such a loop (abi.h). A time limit, a counter, a variable that
// a signal handler or a thread sets, or a call of unknown code makes a loop an open one. The deadlock watch ends a run
// only for closed ones.
#pragma once
#include "llvm/IR/PassManager.h"

namespace mck {

/// It must run before any optimization. Returns true if anything was changed.
bool markClosedLoops(llvm::Module &M, llvm::FunctionAnalysisManager &Functions);

} // namespace mck
