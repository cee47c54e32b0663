// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far apart addresses are, where part of that is known at run time only (the columns of an unrolled kernel).
#pragma once
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace llvm {
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace mck {

/// Multiples of numbers, and a constant.
struct Distance {
  static constexpr unsigned MaxTerms = 2;
  llvm::SmallVector<std::pair<const llvm::SCEV *, int64_t>, MaxTerms> Terms;
  int64_t Delta = 0;
};

/// false: it is not so simple.
bool measure(llvm::ScalarEvolution &SE, const llvm::SCEV *From, const llvm::SCEV *To, Distance &D);

} // namespace mck
