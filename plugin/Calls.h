// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI functions: which results the source does not use, and which calls use PMPI_ names. The list of MPI
// functions comes from the runtime's generator; the runtime's side is in rt/abi.h.
#pragma once
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace mck {

/// Marks the calls whose result is not used. It must run before any optimization: afterwards a result that the source
/// stores without need is unused, too. Returns true if anything was changed; so does the next function.
bool markUnusedResults(llvm::Module &M);

/// Puts a mark before and behind the call, into this section (rt/abi.h). The lowest bit of What says which one it is.
/// Returns false when the call cannot be marked.
bool markCall(llvm::CallBase &Call, llvm::StringRef Section, uint32_t What);

/// Makes calls of PMPI_ functions, and uses of their addresses, go through a table that the runtime may fill.
bool redirectProfilingNames(llvm::Module &M);

} // namespace mck
