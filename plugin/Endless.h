// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves of a loop in a LoopCopy that it never ends: each iteration begins in the same state as the one before, as far
// as that decides whether the loop goes on and what it asks for; and nothing in it comes from outside.
#pragma once
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace mck {

/// Variables that an iteration gets from the one before settle after so many iterations, each from those before it.
constexpr unsigned EndlessSettles = 4;

bool isEndless(const llvm::Loop &L, const llvm::DominatorTree &Dominators, llvm::AAResults &Aliases);

} // namespace mck
