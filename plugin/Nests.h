// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a function, and what their accesses depend on: can MPI act inside, how often is a block executed, which
// numbers are known before a loop?
#pragma once
#include "Accesses.h"
#include "Guards.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace llvm {
class TargetTransformInfo;
} // namespace llvm

namespace mck {

class Nests {
public:
  Nests(llvm::Function &F, llvm::LoopInfo &LI, llvm::DominatorTree &DT, llvm::ScalarEvolution &SE,
        const llvm::TargetLibraryInfo &TLI, const llvm::TargetTransformInfo &TTI);

  /// Can MPI not begin or end anything while the loop runs?
  bool isQuiet(const llvm::Loop *L);
  /// Does each iteration contain another loop or a call?
  bool isSlow(const llvm::Loop *L);
  static bool isSlowCall(const llvm::Instruction &I);
  /// Do the inner loops end?
  bool areFinite(llvm::Loop *L);
  /// How often an access is executed each time that its innermost loop L is entered, where that is known on entry. (It
  /// is the number of iterations that begin, or of those that pass the only exit.)
  const llvm::SCEV *countOf(const Access &A, llvm::Loop *L);
  /// The same where the access may be executed in each iteration or in none: if Guard, a condition that is known on
  /// entry, holds. (Null: it is executed in each one.)
  const llvm::SCEV *countOf(const Access &A, llvm::Loop *L, llvm::Value *&Guard);
  /// How often a block is executed that every iteration executes.
  const llvm::SCEV *countOf(llvm::BasicBlock *Block, llvm::Loop *L);

  bool canExpand(const llvm::SCEV *S, const llvm::Instruction *At, llvm::Loop *L);
  llvm::Value *expand(const llvm::SCEV *S, llvm::Instruction *At) {
    return Expander.expandCodeFor(S, Int64, At->getIterator());
  }
  const llvm::SCEV *toInt64(const llvm::SCEV *S) { return SE.getTruncateOrZeroExtend(S, Int64); }

  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::Type *Int64;
  Guards Choices;

private:
  const llvm::TargetLibraryInfo &TLI;
  const llvm::TargetTransformInfo &TTI;
  llvm::SCEVExpander Expander;
  llvm::DenseMap<const llvm::Loop *, bool> Quiet, Transparent, Slow;

  bool isTransparent(const llvm::Loop *L);
};

} // namespace mck
