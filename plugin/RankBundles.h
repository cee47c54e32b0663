// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fewer edges that lead to the same: many nodes that all lead to each other, or to the same others, do so through one.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace mck {

using NodePair = std::pair<uint64_t, uint64_t>; // from, to

struct Bundles {
  llvm::SmallVector<NodePair, 0> Edges, Both; // Both: they lead both ways
};

/// The edges anew. What is reached from each old node stays the same; new nodes are hashes of what they stand for, so
/// that they are those of other objects only where these have the same old nodes.
Bundles bundle(llvm::ArrayRef<NodePair> Edges);

} // namespace mck
