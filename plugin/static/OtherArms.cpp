// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for calls in other arms (OtherArms.h).
#include "static/OtherArms.h"
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
  erase_if(Found,
           [&](const CallBase *Other) { return Tree.dominates(Other, &Maker) || Tree.dominates(&Maker, Other); });
  return Found;
}
