// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks through the calls of a module (Speaking.h).
#include "static/Speaking.h"
#include "static/Call.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <deque>

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

SmallPtrSet<const Function *, 16> mck::statics::reachedFrom(const Function &F, unsigned Most) {
  SmallPtrSet<const Function *, 16> Found;
  SmallPtrSet<const Value *, 32> Seen{&F};
  std::deque<const Value *> Work{&F};
  auto Add = [&](const User &Of) {
    for (const Use &Operand : Of.operands())
      if (isa<Constant>(Operand) && !isa<ConstantData>(Operand) && Seen.insert(Operand).second) Work.push_back(Operand);
  };
  for (; !Work.empty(); Work.pop_front()) {
    const auto *Callee = dyn_cast<Function>(Work.front());
    if (!Callee) {
      Add(*cast<User>(Work.front()));
      continue;
    }
    if (Callee->isDeclaration() || Callee->getInstructionCount() > Most) continue;
    Most -= Callee->getInstructionCount();
    Found.insert(Callee);
    for (const Instruction &I : instructions(*Callee)) Add(I);
  }
  return Found;
}
