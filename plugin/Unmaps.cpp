// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the runtime which memory is about to be unmapped (Unmaps.h).
#include "Unmaps.h"
#include "TailGate.h"
#include "abi.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

Function *gate(Module &M) {
  LLVMContext &Context = M.getContext();
  return mck::tailGate(M, "mck.unmap.gate", "__mck_unmap",
                       {PointerType::getUnqual(Context), Type::getInt64Ty(Context)});
}

bool isUnmap(const CallBase *Call) {
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && Callee->getName() == "munmap" && Call->arg_size() == 2 &&
         Call->getArgOperand(0)->getType()->isPointerTy() && Call->getArgOperand(1)->getType()->isIntegerTy(64) &&
         !Call->isMustTailCall();
}

} // namespace

bool mck::tellUnmaps(Function &F) {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); isUnmap(Call)) Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    IRBuilder<> Builder(Call);
    DebugLoc Place = Call->getDebugLoc();
    if (!Place && F.getSubprogram()) // a call without a place is invalid in a function that has places
      Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
    Builder.SetCurrentDebugLocation(Place);
    Builder.CreateCall(gate(*F.getParent()), {Call->getArgOperand(0), Call->getArgOperand(1)})->setDoesNotThrow();
  }
  return !Calls.empty();
}
