// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance between two addresses, also where the run alone knows a part of it (the columns of an unrolled kernel).
#pragma once
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace llvm {
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace mck {

/// A distance: multiples of some numbers, plus a constant.
struct Distance {
  static constexpr unsigned MaxTerms = 2;
  llvm::SmallVector<std::pair<const llvm::SCEV *, int64_t>, MaxTerms> Terms;
  int64_t Delta = 0;
};

/// Returns false where the distance has no such form.
bool measure(llvm::ScalarEvolution &SE, const llvm::SCEV *From, const llvm::SCEV *To, Distance &D);

} // namespace mck
