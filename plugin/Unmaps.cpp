// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the runtime which memory is about to be unmapped (Unmaps.h).
#include "Unmaps.h"
#include "Attach.h"
#include "abi.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

// One of the object's own, which calls the runtime's function if there is a runtime. Its call is a tail call, so the
// runtime finds the place of munmap behind it.
Function *gate(Module &M) {
  constexpr char Name[] = "mck.unmap.gate";
  if (Function *Gate = M.getFunction(Name)) return Gate;
  LLVMContext &Context = M.getContext();
  FunctionCallee Tell = M.getOrInsertFunction(
      "__mck_unmap",
      FunctionType::get(Type::getVoidTy(Context), {PointerType::getUnqual(Context), Type::getInt64Ty(Context)}, false));
  if (auto *Target = dyn_cast<Function>(Tell.getCallee()); Target && Target->isDeclaration()) {
    Target->setLinkage(GlobalValue::ExternalWeakLinkage);
    Target->setDSOLocal(false);
    Target->setDoesNotThrow();
  }
  Function *Gate = mck::hidden(
      M, Function::createWithDefaultAttr(Tell.getFunctionType(), GlobalValue::LinkOnceODRLinkage, 0, Name, &M));
  Gate->setDoesNotThrow();
  Gate->addFnAttr(Attribute::NoInline);
  BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Is = BasicBlock::Create(Context, "", Gate),
             *End = BasicBlock::Create(Context, "", Gate);
  IRBuilder<> Builder(Entry);
  Builder.CreateCondBr(Builder.CreateIsNotNull(Tell.getCallee()), Is, End);
  Builder.SetInsertPoint(Is);
  CallInst *Call = Builder.CreateCall(Tell, {Gate->getArg(0), Gate->getArg(1)});
  Call->setDoesNotThrow();
  Call->setTailCallKind(CallInst::TCK_MustTail);
  Builder.CreateRetVoid();
  Builder.SetInsertPoint(End);
  Builder.CreateRetVoid();
  return Gate;
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
