// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of a function whose variables are values, as they are for the optimizer: without optimization clang keeps them
// in memory.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace mck {

/// The copy stands in the function's module; the caller erases it. Map: from what is in the function to its copy.
llvm::Function *copyPromoted(llvm::Function &F, llvm::ValueToValueMapTy &Map);

} // namespace mck
