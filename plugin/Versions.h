// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in two versions. Where accesses of a nest of loops would be tested one by one, or are conditional, the nest
// gets a second version that has no signals and that the optimizer treats as always. One test before the nest chooses:
// is any page of interest, and if so, can the nest touch one?
//
// The plain version is a function of its own. LLVM has the promise not to execute loads that the source does not
// execute (AsWritten) for whole functions only, and the plain version must be free of it.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace mck {

class Points;

// Metadata of the loops with signals that have a plain version.
inline constexpr char HasPlainMetadata[] = "mck.has.plain";

/// Gives loops of F plain versions. Release: called for the function of each. Returns whether F has changed.
bool addPlainVersions(llvm::Function &F, const Points &Module, llvm::FunctionAnalysisManager &Functions,
                      llvm::function_ref<void(llvm::Function &)> Release);

} // namespace mck
