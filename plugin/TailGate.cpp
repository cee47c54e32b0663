// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes gates that end with a tail call of the runtime (TailGate.h).
#include "TailGate.h"
#include "Attach.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

Function *mck::tailGate(Module &M, StringRef Name, StringRef Entry, ArrayRef<Type *> Parameters) {
  if (Function *Gate = M.getFunction(Name)) return Gate;
  LLVMContext &Context = M.getContext();
  FunctionCallee Tell = M.getOrInsertFunction(
      Entry, FunctionType::get(Type::getVoidTy(Context), Parameters, /*isVarArg=*/false));
  if (auto *Target = dyn_cast<Function>(Tell.getCallee()); Target && Target->isDeclaration()) {
    Target->setLinkage(GlobalValue::ExternalWeakLinkage);
    Target->setDSOLocal(false);
    Target->setDoesNotThrow();
  }
  Function *Gate = hidden(
      M, Function::createWithDefaultAttr(Tell.getFunctionType(), GlobalValue::LinkOnceODRLinkage, 0, Name, &M));
  Gate->setDoesNotThrow();
  Gate->addFnAttr(Attribute::NoInline);
  BasicBlock *First = BasicBlock::Create(Context, "", Gate), *Is = BasicBlock::Create(Context, "", Gate),
             *End = BasicBlock::Create(Context, "", Gate);
  IRBuilder<> Builder(First);
  Builder.CreateCondBr(Builder.CreateIsNotNull(Tell.getCallee()), Is, End);
  Builder.SetInsertPoint(Is);
  SmallVector<Value *, 2> Arguments;
  for (Argument &Argument : Gate->args()) Arguments.push_back(&Argument);
  CallInst *Call = Builder.CreateCall(Tell, Arguments);
  Call->setDoesNotThrow();
  Call->setTailCallKind(CallInst::TCK_MustTail);
  Builder.CreateRetVoid();
  Builder.SetInsertPoint(End);
  Builder.CreateRetVoid();
  return Gate;
}
