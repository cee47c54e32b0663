// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructors that tell the runtime about an executable or library. They call weak symbols, so the program also runs
// without a runtime.
#pragma once
#include "abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace mck {

// It runs before all other constructors, so that those of the user's C++ objects are signalled already.
constexpr int AttachPriority = 1;

template <class T>
T *hidden(llvm::Module &M, T *Global) {
  Global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  Global->setDSOLocal(true);
  Global->setComdat(M.getOrInsertComdat(Global->getName()));
  return Global;
}

/// The bounds of a section, as the linker gives them. They are weak: a program or library need not have the section.
inline llvm::GlobalVariable *bound(llvm::Module &M, const llvm::Twine &Name) {
  if (llvm::GlobalVariable *Existing = M.getNamedGlobal(Name.str())) return Existing;
  auto *Bound = new llvm::GlobalVariable(M, llvm::Type::getInt8Ty(M.getContext()), false,
                                         llvm::GlobalValue::ExternalWeakLinkage, nullptr, Name);
  Bound->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return Bound;
}

/// Fills Constructor, a void function without arguments, and makes it run before the program's own constructors.
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

/// A constructor mck.attach.NAME, once per executable or library, that passes Version and the bounds of the section
/// mck_NAME to __mck_attach_NAME.
inline void attachSection(llvm::Module &M, const llvm::Twine &Name, uint32_t Version) {
  std::string ConstructorName = ("mck.attach." + Name).str();
  if (M.getFunction(ConstructorName)) return;
  llvm::LLVMContext &Context = M.getContext();
  llvm::Type *Nothing = llvm::Type::getVoidTy(Context), *Number = llvm::Type::getInt32Ty(Context);
  llvm::Type *Pointer = llvm::PointerType::getUnqual(Context);
  llvm::FunctionCallee Attach = M.getOrInsertFunction(
      ("__mck_attach_" + Name).str(), llvm::FunctionType::get(Nothing, {Number, Pointer, Pointer}, false));
  if (auto *Target = llvm::dyn_cast<llvm::Function>(Attach.getCallee()); Target && Target->isDeclaration()) {
    Target->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
    Target->setDSOLocal(false);
    Target->setDoesNotThrow();
  }
  llvm::Function *Constructor = hidden(M, llvm::Function::createWithDefaultAttr(llvm::FunctionType::get(Nothing, false),
                                                                                llvm::GlobalValue::LinkOnceODRLinkage,
                                                                                0, ConstructorName, &M));
  attach(M, Constructor, Attach,
         {llvm::ConstantInt::get(Number, Version), bound(M, "__start_mck_" + Name), bound(M, "__stop_mck_" + Name)});
}

} // namespace mck
