// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts the signals of rt/abi.h: an inline test of the page filter and, on the cold side, a call of a gate. Once per
// module it adds the filter pointer and the constructor that gives it to the runtime.
#pragma once
#include "Accesses.h"
#include "Clusters.h"
#include "Loops.h"
#include "llvm/ADT/ArrayRef.h"

namespace mck {

/// Allocas cost nothing in the first block only. Call this before that block is split.
void gatherAllocas(llvm::Function &F);

/// The accesses are those of collectAccesses for this function, sweeps and tests those of findSweeps, clusters those of
/// findClusters. Adds blocks; the dominator tree is invalid afterwards.
void insertSignals(llvm::Function &F, llvm::ArrayRef<Access> Accesses, llvm::ArrayRef<Sweep> Sweeps,
                   llvm::ArrayRef<RangeTest> Tests, llvm::ArrayRef<Cluster> Clusters);

} // namespace mck
