// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Promoted.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// A loop that is entered at all goes through this block in its first iteration, as written: LICM stands the load before loops that are entered (rotated ones).
static bool isInEachIteration(const BasicBlock &Block, const Loop &L, const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return L.contains(&Block) && all_of(Latches, [&](const BasicBlock *Latch) { return DT.dominates(&Block, Latch); });
}

static bool isLookedAt(const LoadInst &Load, const DominatorTree &DT, const LoopInfo &Loops) {
  for (const User *U : Load.users()) {
    const auto *I = cast<Instruction>(U);
    const auto *Phi = dyn_cast<PHINode>(I);
    if (!Phi && I->getParent() == Load.getParent())
      return true;
    const Loop *L = Loops.getLoopFor(I->getParent());
    if (!Phi && L && !L->contains(&Load) && isInEachIteration(*I->getParent(), *L, DT))
      return true; // promoted for reading alone: it stays what it is in all iterations
    if (!Phi || !L || L->getHeader() != Phi->getParent())
      continue;
    if (any_of(Phi->users(), [&](const User *Use) { return !isa<PHINode>(Use) && isInEachIteration(*cast<Instruction>(Use)->getParent(), *L, DT); }))
      return true;
  }
  return false;
}

bool mck::isPromoted(const LoadInst &Load, const DominatorTree &DT, const LoopInfo &Loops) {
  if (!Load.isSimple() || (Load.getDebugLoc() && Load.getFunction()->getSubprogram()))
    return false;
  const Value *Address = Load.getPointerOperand();
  bool IsStored = any_of(Address->users(), [&](const User *U) {
    const auto *Store = dyn_cast<StoreInst>(U);
    return Store && Store->getPointerOperand() == Address && Store->getFunction() == Load.getFunction();
  });
  return IsStored && !isLookedAt(Load, DT, Loops);
}
