// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Promoted.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// A loop that is entered goes through this block in its first iteration.
static bool isInEachIteration(const BasicBlock &Block, const Loop &L, const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return L.contains(&Block) && all_of(Latches, [&](const BasicBlock *Latch) { return DT.dominates(&Block, Latch); });
}

// Whenever Value is there in loop L (or in its own block, without a loop), something that is no phi uses it: there, or in a loop that is entered from there.
static bool isLookedAt(const Instruction &Value, const Loop *L, const DominatorTree &DT, const LoopInfo &Loops) {
  auto IsCertain = [&](const BasicBlock &Block) {
    return &Block == Value.getParent() || (L && isInEachIteration(Block, *L, DT));
  };
  return any_of(Value.users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    const Loop *Inner = Loops.getLoopFor(I->getParent());
    bool IsEntering = Inner && Inner != L && (!L || L->contains(Inner)) && !Inner->contains(Value.getParent());
    if (!isa<PHINode>(I)) // promoted for reading alone it stays what it is in all iterations
      return IsCertain(*I->getParent()) || (!L && IsEntering && isInEachIteration(*I->getParent(), *Inner, DT));
    if (!IsEntering || Inner->getHeader() != I->getParent())
      return false;
    // LICM stands the load before loops that are entered (rotated ones); of those within them the preheader tells.
    const BasicBlock *Before = Inner->getLoopPreheader();
    return (!L || (Before && IsCertain(*Before))) && isLookedAt(*I, Inner, DT, Loops);
  });
}

bool mck::isPromoted(const LoadInst &Load, const DominatorTree &DT, const LoopInfo &Loops) {
  if (!Load.isSimple() || (Load.getDebugLoc() && Load.getFunction()->getSubprogram()))
    return false;
  const Value *Address = Load.getPointerOperand();
  bool IsStored = any_of(Address->users(), [&](const User *U) {
    const auto *Store = dyn_cast<StoreInst>(U);
    return Store && Store->getPointerOperand() == Address && Store->getFunction() == Load.getFunction();
  });
  return IsStored && !isLookedAt(Load, nullptr, DT, Loops);
}
