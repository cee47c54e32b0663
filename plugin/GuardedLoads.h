// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that a loop repeats although they always give the same: `for (...) if (c) sum += a->x[i]` loads a->x in each
// iteration, where c is the same in all of them. LLVM moves such a load before the loop only where it may be executed
// although c does not hold. That is not known of memory from outside, and it is no access that the source has
// (sanitize_thread). Here it is moved before the loop together with its condition. What is loaded is then known before
// the loop: the accesses behind it become ranges, and its pages are asked for once.
#pragma once
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class DominatorTree;
class Function;
class Loop;
class LoopInfo;
class ScalarEvolution;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {
/// Moves them in all loops of F in which MPI cannot act, from the inside out. The loops are in simplified form. The
/// result: the loops that have lost some.
llvm::SmallPtrSet<const llvm::Loop *, 8> moveGuardedLoads(llvm::Function &F, llvm::LoopInfo &LI,
                                                          llvm::DominatorTree &DT, llvm::ScalarEvolution &SE,
                                                          llvm::AAResults &AA, const llvm::TargetLibraryInfo &TLI);
} // namespace mck
