// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hulls: the bounds of all addresses of an access in all iterations of the loops around it.
#pragma once
#include "Nests.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace mck {

// Larger numbers are not computed with: the hull is then all of memory. So the sum over a nest of loops cannot wrap.
constexpr int64_t MaxStep = int64_t(1) << 28, MaxTrips = int64_t(1) << 32;

/// The addresses of an access, as expressions that are known before a loop.
struct Hull {
  llvm::Loop *Test = nullptr;
  const llvm::SCEV *Low = nullptr, *High = nullptr; // i64: the first bytes of the lowest and of the highest access
  llvm::SmallVector<std::pair<const llvm::SCEV *, int64_t>, 4> Limits; // numbers, and the bound that the amount of each
                                                                       // must not exceed
};

/// Widens a hull to all iterations of a loop. IsExact: the access executes in each of them. Returns false where the
/// bounds are not known before the loop.
bool extendHull(Nests &N, Hull &H, llvm::Loop *L, bool IsExact);

} // namespace mck
