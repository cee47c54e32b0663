// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI functions, by the list of them that the runtime's generator makes: which results the source does not
// use, and what calls the library by its PMPI_ names. The runtime's side of it is in rt/abi.h.
#pragma once
#include "llvm/IR/Module.h"

namespace mck {

/// Marks the calls whose result nothing uses. Right only before any optimization: afterwards a result that the source
/// stores and that nobody needs is unused as well. True if anything was changed, also below.
bool markUnusedResults(llvm::Module &M);

/// Has PMPI_ functions called, and their addresses taken, by way of a table that the runtime may fill in.
bool redirectProfilingNames(llvm::Module &M);

} // namespace mck
