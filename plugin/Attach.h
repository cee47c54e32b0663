// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructors that tell the runtime about an executable or library, if there is a runtime: what they call is weak.
#pragma once
#include "abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace mck {

// First of all constructors, so that the constructors of the user's C++ objects are seen already.
constexpr int AttachPriority = 1;

template <class T>
T *hidden(llvm::Module &M, T *Global) {
  Global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  Global->setDSOLocal(true);
  Global->setComdat(M.getOrInsertComdat(Global->getName()));
  return Global;
}

/// Bounds of a section as the linker gives them. Weak, since a program or library need not have it.
inline llvm::GlobalVariable *bound(llvm::Module &M, const llvm::Twine &Name) {
  if (llvm::GlobalVariable *Existing = M.getNamedGlobal(Name.str())) return Existing;
  auto *Bound = new llvm::GlobalVariable(M, llvm::Type::getInt8Ty(M.getContext()), false,
                                         llvm::GlobalValue::ExternalWeakLinkage, nullptr, Name);
  Bound->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return Bound;
}

/// Fills Constructor, a void function without arguments, and has it run ahead of the program's own.
inline void attach(llvm::Module &M, llvm::Function *Constructor, llvm::FunctionCallee Attach,
                   llvm::ArrayRef<llvm::Value *> Arguments) {
  llvm::LLVMContext &Context = M.getContext();
  Constructor->setDoesNotThrow();
  Constructor->addFnAttr(llvm::Attribute::NoInline);
  Constructor->addFnAttr(llvm::Attribute::OptimizeNone); // less work for the code generator
  auto *Entry = llvm::BasicBlock::Create(Context, "", Constructor);
  auto *Call = llvm::BasicBlock::Create(Context, "", Constructor);
  auto *End = llvm::BasicBlock::Create(Context, "", Constructor);
  llvm::IRBuilder<> Builder(Entry);
  Builder.CreateCondBr(Builder.CreateIsNotNull(Attach.getCallee()), Call, End);
  Builder.SetInsertPoint(Call);
  Builder.CreateCall(Attach, Arguments);
  Builder.CreateBr(End);
  Builder.SetInsertPoint(End);
  Builder.CreateRetVoid();
  llvm::appendToGlobalCtors(M, Constructor, AttachPriority, /*Data=*/Constructor);
}

} // namespace mck
