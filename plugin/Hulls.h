// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between which addresses an access stays in all iterations of the loops around it.
#pragma once
#include "Nests.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace mck {

// Beyond these a hull is not computed but taken for everything: so the sum over a nest of loops cannot wrap.
constexpr int64_t MaxStep = int64_t(1) << 28, MaxTrips = int64_t(1) << 32;

/// All addresses of an access, seen from before a loop.
struct Hull {
  llvm::Loop *Test = nullptr;
  const llvm::SCEV *Low = nullptr, *High = nullptr; // i64: of the first bytes of the lowest and the highest access
  llvm::SmallVector<std::pair<const llvm::SCEV *, int64_t>, 4> Limits; // numbers that must not exceed it in amount
};

/// Over all iterations of a loop; IsExact: of an access that executes in each of them. false: they are not known before
/// it.
bool extendHull(Nests &N, Hull &H, llvm::Loop *L, bool IsExact);

} // namespace mck
