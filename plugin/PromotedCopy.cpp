// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the copy (PromotedCopy.h).
#include "PromotedCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

// For code with debug information CloneFunction looks through all types that can be reached from it, for each function:
// with a header like those of Boost that took longer than all the rest of the compilation. A copy that is only looked
// at needs none.
static Function *cloneWithoutDebugInfo(Function &F, ValueToValueMapTy &Map) {
  Function *Copy = Function::Create(F.getFunctionType(), F.getLinkage(), F.getAddressSpace(), F.getName(),
                                    F.getParent());
  Copy->copyAttributesFrom(&F);
  for (auto [Argument, Copied] : zip_equal(F.args(), Copy->args())) Map[&Argument] = &Copied;
  for (BasicBlock &Block : F) {
    BasicBlock *Copied = CloneBasicBlock(&Block, Map, "", Copy);
    Map[&Block] = Copied;
    if (Block.hasAddressTaken()) Map[BlockAddress::get(&F, &Block)] = BlockAddress::get(Copy, Copied);
    for (Instruction &I : make_early_inc_range(*Copied)) {
      I.dropDbgRecords();
      if (isa<DbgInfoIntrinsic>(I)) I.eraseFromParent();
    }
  }
  for (Instruction &I : instructions(*Copy))
    RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  return Copy;
}

Function *mck::copyPromoted(Function &F, ValueToValueMapTy &Map) {
  Function *Copy = cloneWithoutDebugInfo(F, Map);
  SmallVector<AllocaInst *, 16> Variables;
  for (Instruction &I : Copy->getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && isAllocaPromotable(Variable))
      Variables.push_back(Variable);
  DominatorTree Tree(*Copy);
  if (!Variables.empty()) PromoteMemToReg(Variables, Tree);
  return Copy;
}
