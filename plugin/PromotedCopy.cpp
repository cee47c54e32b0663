// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the copy (PromotedCopy.h).
#include "PromotedCopy.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

Function *mck::copyPromoted(Function &F, ValueToValueMapTy &Map) {
  Function *Copy = CloneFunction(&F, Map);
  SmallVector<AllocaInst *, 16> Variables;
  for (Instruction &I : Copy->getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && isAllocaPromotable(Variable))
      Variables.push_back(Variable);
  DominatorTree Tree(*Copy);
  if (!Variables.empty()) PromoteMemToReg(Variables, Tree);
  return Copy;
}
