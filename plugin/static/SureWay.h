// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks that one process surely comes to: conditions that can be computed lead it, and at others it goes on where
// all ways meet.
#pragma once
#include "static/Paths.h"
#include "static/RankValue.h"

namespace mck::statics {

/// The blocks that some process may come to: those behind conditions that no process has are left out, such as a case
/// of a helper that this caller does not ask for.
llvm::SmallPtrSet<const llvm::BasicBlock *, 32> possibleBlocks(const llvm::Function &F, RankValues &Values,
                                                               CommKey Comm);

llvm::BitVector sureWay(const Paths &Ways, RankValues &Values, const Process &P);

} // namespace mck::statics
