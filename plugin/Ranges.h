// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges: exactly the bytes that an access touches in all iterations of the loops around it, in up to two dimensions
// (Sweep, Loops.h).
#pragma once
#include "Loops.h"
#include "Nests.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace mck {

class Ranges {
public:
  explicit Ranges(Nests &N) : N(N), SE(N.SE) {}

  /// Makes the range of an access that is executed Count times in Inner, if Guard (or null) holds there. The range may
  /// stand before an outer loop, up to Outermost. S stays as it is where there is no range.
  void plan(const Access &A, llvm::Loop *Inner, llvm::Loop *Outermost, const llvm::SCEV *Address,
            const llvm::SCEV *Count, llvm::Value *Guard, Sweep &S);

private:
  Nests &N;
  llvm::ScalarEvolution &SE;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<std::pair<const llvm::SCEV *, llvm::Value *>, 4>>
      Starts; // where ranges are signalled

  // What is touched in all iterations of the innermost loop and, where possible, of the loops around it up to the loop
  // of the test: where the pieces begin, and how they follow each other.
  struct Shape {
    const llvm::SCEV *Start, *Size;                                                     // Size null: that of the access
    llvm::SmallVector<std::pair<const llvm::SCEV *, const llvm::SCEV *>, 2> Dimensions; // step, count
    llvm::Value *Guard = nullptr;
    bool canBeAt(llvm::Loop *L, Nests &N) const;
  };

  void setStart(Sweep &S, const llvm::SCEV *Start);
  bool addDimension(const Access &A, Shape &S, const llvm::SCEV *Step, const llvm::SCEV *Count);
  bool widen(const Access &A, Shape &S, llvm::Loop *L);
};

} // namespace mck
