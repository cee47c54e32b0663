// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks through the calls of a module (Speaking.h).
#include "static/Speaking.h"
#include "static/Call.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

void mck::statics::classify(const Module &M, SmallPtrSetImpl<const Function *> &Quiet,
                            SmallPtrSetImpl<const Function *> &Speaking) {
  for (const Function &F : M)
    if (!F.isDeclaration()) Quiet.insert(&F);
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    for (const Function &F : M)
      for (const Instruction &I : instructions(F)) {
        const auto *Call = dyn_cast<CallBase>(&I);
        if (maySynchronize(I)) IsChanged |= Quiet.erase(&F);
        if (!Call || isa<IntrinsicInst>(I)) continue;
        const Function *Callee = Call->getCalledFunction();
        bool IsOwn = Callee && !Callee->isDeclaration();
        bool IsMpi = Callee && !IsOwn && findMpi(Callee->getName());
        if (IsMpi || (IsOwn && Speaking.contains(Callee))) IsChanged |= Speaking.insert(&F).second;
        if (IsMpi || (IsOwn ? !Quiet.contains(Callee) : reachOf(*Call) != Reach::Nothing)) IsChanged |= Quiet.erase(&F);
      }
  }
}

SmallPtrSet<const Function *, 8> mck::statics::findEnding(const Module &M) {
  SmallPtrSet<const Function *, 8> Ending;
  auto MayEnd = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    static constexpr StringRef Names[] = {"exit", "_exit", "_Exit", "quick_exit"};
    return Callee && (Callee->isDeclaration() ? is_contained(Names, Callee->getName()) : Ending.contains(Callee));
  };
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    for (const Function &F : M)
      if (!Ending.contains(&F) && any_of(instructions(F), MayEnd)) IsChanged |= Ending.insert(&F).second;
  }
  return Ending;
}
