// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers questions about the loops of a function (Nests.h).
#include "Nests.h"
#include "Effects.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using mck::Nests;

// The largest cost of code, in LLVM's units, that computing a number is worth.
static constexpr unsigned Budget = 64;

Nests::Nests(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE, const TargetLibraryInfo &TLI,
             const TargetTransformInfo &TTI)
    : LI(LI), DT(DT), SE(SE), Int64(Type::getInt64Ty(F.getContext())), Choices(F, LI, DT, SE), TLI(TLI), TTI(TTI),
      Expander(SE, F.getParent()->getDataLayout(), "mck") {}

bool Nests::isQuiet(const Loop *L) {
  auto [Entry, IsNew] = Quiet.try_emplace(L, true);
  if (!IsNew) return Entry->second;
  bool IsQuiet = true;
  for (const BasicBlock *Block : L->blocks())
    for (const Instruction &I : *Block) IsQuiet &= !mck::mayLetMpiAct(I, TLI);
  return Quiet[L] = IsQuiet;
}

bool Nests::isSlowCall(const Instruction &I) { return isa<CallBase>(I) && !isa<IntrinsicInst>(I); }

bool Nests::isSlow(const Loop *L) {
  auto [Entry, IsNew] = Slow.try_emplace(L, false);
  if (!IsNew) return Entry->second;
  const BasicBlock *Latch = L->getLoopLatch();
  bool IsSlow = !L->isInnermost();
  for (const BasicBlock *Block : L->blocks())
    if (!IsSlow && Latch && DT.dominates(Block, Latch)) IsSlow = any_of(*Block, isSlowCall);
  return Slow[L] = IsSlow;
}

// Does each iteration that begins come to its end, or leave the loop by an exit?
bool Nests::isTransparent(const Loop *L) {
  auto [Entry, IsNew] = Transparent.try_emplace(L, true);
  if (!IsNew) return Entry->second;
  bool IsTransparent = true;
  for (const BasicBlock *Block : L->blocks())
    for (const Instruction &I : *Block) IsTransparent &= isGuaranteedToTransferExecutionToSuccessor(&I);
  return Transparent[L] = IsTransparent;
}

bool Nests::areFinite(Loop *L) {
  return all_of(L->getSubLoops(), [this](Loop *Sub) {
    return (!isa<SCEVCouldNotCompute>(SE.getSymbolicMaxBackedgeTakenCount(Sub)) || isMustProgress(Sub)) &&
           areFinite(Sub);
  });
}

const SCEV *Nests::countOf(const Access &A, Loop *L) {
  BasicBlock *Block = A.Before->getParent(), *Latch = L->getLoopLatch();
  if (!Latch || LI.getLoopFor(Block) != L || !DT.dominates(Block, Latch)) return nullptr;
  return countOf(Block, L);
}

const SCEV *Nests::countOf(const Access &A, Loop *L, Value *&Guard) {
  if (const SCEV *Count = countOf(A, L)) return Count;
  BasicBlock *Block = A.Before->getParent(), *Latch = L->getLoopLatch();
  if (!Latch || !L->getLoopPreheader() || L->getExitingBlock() != Latch) return nullptr;
  std::optional<Value *> Condition = Choices.conditionOf(Block, L);
  if (!Condition || !*Condition) return nullptr;
  Guard = *Condition;
  return countOf(Latch, L);
}

const SCEV *Nests::countOf(BasicBlock *Block, Loop *L) {
  BasicBlock *Exiting = L->getExitingBlock();
  if (!Exiting || !isTransparent(L)) return nullptr;
  const SCEV *Trips = SE.getBackedgeTakenCount(L);
  if (isa<SCEVCouldNotCompute>(Trips) || SE.getTypeSizeInBits(Trips->getType()) > 64) return nullptr;
  if (DT.dominates(Exiting, Block) && Exiting != Block) return toInt64(Trips);
  // A block under a condition is counted only where each iteration that begins comes to its end.
  return DT.dominates(Block, Exiting) || Exiting == L->getLoopLatch() ? SE.getAddExpr(toInt64(Trips), SE.getOne(Int64))
                                                                      : nullptr;
}

bool Nests::canExpand(const SCEV *S, const Instruction *At, Loop *L) {
  auto IsDivision = [](const SCEV *Part) { // a division that is a shift is cheap
    const auto *Division = dyn_cast<SCEVUDivExpr>(Part);
    return Division && !isa<SCEVConstant>(Division->getRHS());
  };
  return !SCEVExprContains(S, IsDivision) && Expander.isSafeToExpandAt(S, At) &&
         !Expander.isHighCostExpansion(S, L, Budget, &TTI, At);
}
