// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of -fcheck-explain (-Rpass-analysis=mck-signals): which accesses are signalled, how, and why; and for each
// loop what of it is signalled, and what would have to be known so that it is not.
#pragma once
#include "Accesses.h"
#include "Loops.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace mck {

void explain(const llvm::Function &F, llvm::ArrayRef<Access> Accesses, llvm::ArrayRef<Sweep> Sweeps,
             const llvm::LoopInfo &LI, llvm::OptimizationRemarkEmitter &Remarks);

} // namespace mck
