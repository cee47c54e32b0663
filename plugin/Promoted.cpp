// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes loads that the optimizer made and the source does not have (Promoted.h).
#include "Promoted.h"
#include "Effects.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// Is this block executed in the first iteration of a loop that is entered?
static bool isInEachIteration(const BasicBlock &Block, const Loop &L, const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return L.contains(&Block) && all_of(Latches, [&](const BasicBlock *Latch) { return DT.dominates(&Block, Latch); });
}

// Whenever Value is computed in loop L (or in its own block, without a loop), an instruction other than a phi uses it,
// there or in a loop that is entered from there.
static bool isLookedAt(const Instruction &Value, const Loop *L, const DominatorTree &DT, const LoopInfo &Loops) {
  auto IsCertain = [&](const BasicBlock &Block) {
    return &Block == Value.getParent() || (L && isInEachIteration(Block, *L, DT));
  };
  return any_of(Value.users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    const Loop *Inner = Loops.getLoopFor(I->getParent());
    bool IsEntering = Inner && Inner != L && (!L || L->contains(Inner)) && !Inner->contains(Value.getParent());
    if (!isa<PHINode>(I)) // a variable that is promoted for reading only keeps its value in all iterations
      return IsCertain(*I->getParent()) || (!L && IsEntering && isInEachIteration(*I->getParent(), *Inner, DT));
    if (!IsEntering || Inner->getHeader() != I->getParent()) return false;
    // LICM puts the load before loops that are entered (rotated ones). For inner loops the preheader decides.
    const BasicBlock *Before = Inner->getLoopPreheader();
    return (!L || (Before && IsCertain(*Before))) && isLookedAt(*I, Inner, DT, Loops);
  });
}

bool mck::isPromoted(const LoadInst &Load, const DominatorTree &DT, const LoopInfo &Loops) {
  if (!Load.isSimple() || (Load.getDebugLoc() && Load.getFunction()->getSubprogram())) return false;
  if (isLookedAt(Load, nullptr, DT, Loops)) // this comes first, since a variable may have thousands of users
    return false;
  const Value *Address = Load.getPointerOperand();
  return any_of(Address->users(), [&](const User *U) {
    const auto *Store = dyn_cast<StoreInst>(U);
    return Store && Store->getPointerOperand() == Address && Store->getFunction() == Load.getFunction();
  });
}

// Finds the load behind a value that is only converted, copied to all lanes, or kept from one iteration to the next.
static const LoadInst *loadBehind(const Value *V, unsigned Depth = 8) {
  for (; Depth; --Depth) {
    if (const auto *Load = dyn_cast<LoadInst>(V)) return Load;
    if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(V)) V = Shuffle->getOperand(0);
    else if (const auto *Insert = dyn_cast<InsertElementInst>(V)) V = Insert->getOperand(1);
    else if (isa<CastInst>(V) || isa<FreezeInst>(V) || isa<PHINode>(V)) V = cast<Instruction>(V)->getOperand(0);
    else return nullptr;
  }
  return nullptr;
}

static bool isOnlyChosen(const Value &V, const LoadInst &Load, SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(&V).second) return true;
  return !V.use_empty() && all_of(V.users(), [&](const User *U) {
    if (const auto *Select = dyn_cast<SelectInst>(U)) {
      const LoadInst *Other = loadBehind(Select->getTrueValue() == &V ? Select->getFalseValue()
                                                                      : Select->getTrueValue());
      return Select->getCondition() != &V && Other && Other->getDebugLoc() == Load.getDebugLoc() &&
             Other->getPointerOperand() != Load.getPointerOperand();
    }
    bool IsCopied = isa<ShuffleVectorInst>(U) || isa<InsertElementInst>(U) || isa<CastInst>(U) || isa<FreezeInst>(U) ||
                    isa<PHINode>(U);
    return IsCopied && isOnlyChosen(*U, Load, Seen);
  });
}

bool mck::isChosenLater(const LoadInst &Load) {
  SmallPtrSet<const Value *, 8> Seen;
  return Load.isSimple() && !Load.getType()->isVectorTy() && Load.getDebugLoc() && isOnlyChosen(Load, Load, Seen);
}

// Is the loaded value only kept for the loop's head?
static bool isOnlyKept(const Instruction &Value, const Loop &L, SmallPtrSetImpl<const Instruction *> &Seen) {
  return !Value.use_empty() && all_of(Value.users(), [&](const User *U) {
    const auto *Phi = dyn_cast<PHINode>(U);
    return Phi && L.contains(Phi) &&
           (Phi->getParent() == L.getHeader() || !Seen.insert(Phi).second || isOnlyKept(*Phi, L, Seen));
  });
}

BasicBlock *mck::headThatReads(const LoadInst &Load, const DominatorTree &DT, const LoopInfo &Loops,
                               const TargetLibraryInfo &TLI) {
  const BasicBlock *Block = Load.getParent();
  const Loop *L = Loops.getLoopFor(Block);
  const BasicBlock *Latch = L ? L->getLoopLatch() : nullptr;
  SmallPtrSet<const Instruction *, 8> Phis;
  if (!Latch || !Load.isSimple() || Load.getNextNonDebugInstruction() != Block->getTerminator() ||
      !L->isLoopInvariant(Load.getPointerOperand()) || DT.dominates(Block, Latch) || !isOnlyKept(Load, *L, Phis))
    return nullptr;
  SmallVector<const BasicBlock *, 8> Next(successors(Block));
  SmallPtrSet<const BasicBlock *, 8> Seen;
  bool HasExit = false;
  while (!Next.empty()) {
    const BasicBlock *B = Next.pop_back_val();
    HasExit |= !L->contains(B);
    if (!L->contains(B) || B == L->getHeader() || !Seen.insert(B).second) continue;
    if (any_of(*B, [&](const Instruction &I) { return mck::mayLetMpiAct(I, TLI); })) return nullptr;
    append_range(Next, successors(B));
  }
  return HasExit ? L->getHeader() : nullptr;
}
