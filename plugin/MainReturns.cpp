// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks the returns of main (MainReturns.h). clang keeps what main returns in a variable where there are several: each
// "return" stores to it, with its place, and jumps to the one end of the function.
#include "MainReturns.h"
#include "TailGate.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

// The instructions behind which, or before which (a return), main is over. The variable's first value, of a main that
// has no return, has no place.
void findReturns(Function &Main, SmallVectorImpl<Instruction *> &Found) {
  for (Instruction &I : instructions(Main)) {
    auto *Return = dyn_cast<ReturnInst>(&I);
    if (!Return || !Return->getDebugLoc()) continue;
    auto *Load = dyn_cast_or_null<LoadInst>(Return->getReturnValue());
    auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
    if (!Variable || !findDbgDeclares(Variable).empty() || !findDVRDeclares(Variable).empty()) { // the source's own
      Found.push_back(Return);
      continue;
    }
    for (User *U : Variable->users())
      if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getDebugLoc()) Found.push_back(Store);
  }
}

} // namespace

bool mck::tellMainReturns(Module &M) {
  Function *Main = M.getFunction("main");
  if (!Main || Main->isDeclaration() || !Main->getSubprogram() || M.getFunction("mck.main.gate")) return false;
  SmallVector<Instruction *, 8> Found;
  findReturns(*Main, Found);
  if (Found.empty()) return false;
  Function *Gate = tailGate(M, "mck.main.gate", "__mck_main_returns", {});
  for (Instruction *I : Found) {
    IRBuilder<> Builder(isa<ReturnInst>(I) ? I : I->getNextNode());
    Builder.SetCurrentDebugLocation(I->getDebugLoc());
    CallInst *Call = Builder.CreateCall(Gate);
    Call->setDoesNotThrow();
    Call->setCannotMerge();                      // each has a place of its own
    Call->setTailCallKind(CallInst::TCK_NoTail); // else the place would be that of main's caller
  }
  return true;
}
