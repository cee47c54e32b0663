// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks that one process surely comes to: conditions that can be computed lead it, and at others it goes on where
// all ways meet.
#pragma once
#include "static/Paths.h"
#include "static/RankValue.h"

namespace mck::statics {

using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 32>;

/// The blocks that a process may come to: those behind conditions that it does not have are left out.
BlockSet possibleBlocks(const llvm::Function &F, RankValues &Values, const Process &P);
/// Those that some process may come to. A case of a helper that this caller does not ask for is none.
BlockSet possibleBlocks(const llvm::Function &F, RankValues &Values, CommKey Comm);

llvm::BitVector sureWay(const Paths &Ways, RankValues &Values, const Process &P);

} // namespace mck::statics
