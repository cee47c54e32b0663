// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hulls that are tested together: those of accesses that are tested before the same loop and lie at constant distances,
// or at multiples of few numbers (the columns of an unrolled kernel).
#pragma once
#include "Distances.h"
#include "Hulls.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace mck {

/// The addresses that one test asks for, as values of the code.
struct HullRange {
  llvm::Value *Low = nullptr, *High = nullptr; // i64
  llvm::Value *IsWild = nullptr;               // i1 or null; true: the numbers are so large that the hull is unknown
};

struct HullGroup {
  struct Unit {
    const llvm::SCEV *Number;
    int64_t Low, High; // times
  };
  Hull H;
  int64_t LowDelta, HighDelta; // HighDelta: behind the last byte
  uint32_t Bits;               // MCK_WATCH_*
  llvm::SmallVector<Unit, 2> Units = {};

  /// Computes the range at this instruction, which is in the preheader of the test's loop, or dominated by it.
  HullRange emit(Nests &N, llvm::Instruction *At) const;
};

class HullGroups {
public:
  explicit HullGroups(Nests &N) : N(N) {}
  /// Puts an access into a group, and returns the number of it.
  unsigned add(const Access &A, Hull H);

  llvm::SmallVector<HullGroup, 0> All;

private:
  Nests &N;
  bool reach(HullGroup &G, llvm::ArrayRef<std::pair<const llvm::SCEV *, int64_t>> Terms);
};

} // namespace mck
