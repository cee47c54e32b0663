// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for calls in other arms (OtherArms.h).
#include "static/OtherArms.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

SmallVector<const CallBase *, 2> mck::statics::otherArms(const CallBase &Maker) {
  SmallVector<const CallBase *, 2> Found;
  const MpiFunction *Function = findMpi(Maker);
  for (const Instruction &I : instructions(*Maker.getFunction())) {
    const auto *Other = dyn_cast<CallBase>(&I);
    if (Other && Other != &Maker && findMpi(*Other) == Function) Found.push_back(Other);
  }
  if (Found.empty()) return Found;
  DominatorTree Tree(*const_cast<llvm::Function *>(Maker.getFunction()));
  LoopInfo Loops(Tree);
  // The condition that chooses between the two is in a block that leads to both, and neither leads to the other. A call
  // in a loop or in a condition before is in no other arm.
  erase_if(Found, [&](const CallBase *Other) {
    auto *Own = const_cast<BasicBlock *>(Maker.getParent()), *There = const_cast<BasicBlock *>(Other->getParent());
    if (!Tree.isReachableFromEntry(Own) || !Tree.isReachableFromEntry(There)) return true; // no process comes there
    BasicBlock *Choice = Own == There ? nullptr : Tree.findNearestCommonDominator(Own, There);
    if (!Choice || Choice == Own || Choice == There) return true;
    for (const Loop *L = Loops.getLoopFor(Choice); L; L = L->getParentLoop())
      if (L->contains(Own) != L->contains(There)) return true; // it is the condition of the loop
    SmallPtrSet<BasicBlock *, 1> Excluded{Choice};
    return isPotentiallyReachable(&Maker, Other, &Excluded, &Tree) ||
           isPotentiallyReachable(Other, &Maker, &Excluded, &Tree);
  });
  return Found;
}
