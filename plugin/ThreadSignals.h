// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime that are made only while several threads live that it follows (rt/abi.h, MCK_FILTER_THREADS).
#pragma once
#include "Attach.h"
#include "Filter.h"
#include "abi.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace mck {

/// Nobody but the thread that runs the function can have the address of this object.
inline bool isPrivateVariable(const llvm::Value *Object) {
  return llvm::isa<llvm::AllocaInst>(Object) &&
         !llvm::PointerMayBeCaptured(Object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
}

class ThreadSignals {
public:
  explicit ThreadSignals(llvm::Function &F)
      : F(F), Gate(*F.getParent()), Pages(Gate),
        Unlikely(llvm::MDBuilder(F.getContext()).createUnlikelyBranchWeights()) {}

  /// For is the instruction whose place the call gets.
  void insert(llvm::Instruction *Before, const llvm::Instruction &For, llvm::StringRef Name,
              llvm::ArrayRef<llvm::Value *> Arguments) {
    llvm::DebugLoc Place = For.getDebugLoc();
    if (!Place && F.getSubprogram()) Place = llvm::DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
    llvm::IRBuilder<> Builder(Before);
    Builder.SetCurrentDebugLocation(Place);
    llvm::Value *Test = Pages.testThreads(Builder);
    llvm::Instruction *Cold = llvm::SplitBlockAndInsertIfThen(Test, Before->getIterator(), /*Unreachable=*/false,
                                                              Unlikely);
    Builder.SetInsertPoint(Cold);
    Builder.SetCurrentDebugLocation(Place);
    Builder.CreateCall(entry(Name, Arguments), Arguments)->setDoesNotThrow();
  }

private:
  llvm::Function &F;
  EntryPoints Gate;
  Filter Pages;
  llvm::MDNode *Unlikely;

  llvm::FunctionCallee entry(llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> Arguments) {
    llvm::SmallVector<llvm::Type *, 2> Types;
    for (llvm::Value *Argument : Arguments) Types.push_back(Argument->getType());
    llvm::FunctionCallee Entry = F.getParent()->getOrInsertFunction(
        Name, llvm::FunctionType::get(llvm::Type::getVoidTy(F.getContext()), Types, false));
    if (auto *Target = llvm::dyn_cast<llvm::Function>(Entry.getCallee()); Target && Target->isDeclaration()) {
      Target->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
      Target->setDSOLocal(false);
      Target->setDoesNotThrow();
    }
    return Entry;
  }
};

} // namespace mck
