// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts the signals of rt/abi.h: an inline test of the page filter and, on the cold side, a call of a gate;
// and once per module the filter pointer and the constructor that offers it to the runtime.
#pragma once
#include "Accesses.h"
#include "Clusters.h"
#include "Loops.h"
#include "llvm/ADT/ArrayRef.h"

namespace mck {

/// Allocas are free in the first block only: to be called before that is cut.
void gatherAllocas(llvm::Function &F);

/// The accesses are those of collectAccesses for this function, sweeps and tests those of findSweeps, clusters those of
/// findClusters. Adds blocks; dominators are stale afterwards.
void insertSignals(llvm::Function &F, llvm::ArrayRef<Access> Accesses, llvm::ArrayRef<Sweep> Sweeps,
                   llvm::ArrayRef<RangeTest> Tests, llvm::ArrayRef<Cluster> Clusters);

} // namespace mck
