// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions write that the copy leaves out, and how a call of another function is to be seen (Canonical.h).
#include "static/Canonical.h"

using namespace llvm;
using namespace mck::statics;

Callee Canonical::see(const CallBase &Call) const {
  const Function *Called = Call.getCalledFunction();
  if (Called && Unseen.contains(Called)) return Callee::Unseen;
  if (Called && !Called->isDeclaration()) return Callee::Own;
  return mayReachMpi(Call) ? Callee::Unknown : Callee::Library;
}

// In the module itself: the copy has the same types, and variables of its own.
void Canonical::readUnseen(const Module &M, function_ref<Value *(const Value *)> Translate) {
  Areas Places(M.getDataLayout());
  SmallVector<const Function *, 16> Bodies;
  for (const Function &F : M) {
    const auto *Copied = cast<Function>(Translate(&F));
    if (F.isDeclaration() || !(Copied->isDeclaration() || is_contained(Large, Copied))) continue;
    Unseen.insert(Copied);
    Bodies.push_back(&F);
    Places.learn(F);
  }
  auto Add = [&](Area At) {
    if (!At.IsStructure) {
      const auto *Variable = dyn_cast<GlobalVariable>(static_cast<const Value *>(At.Of));
      At.Of = Variable ? Translate(Variable) : nullptr;
    }
    bool IsNew = none_of(UnseenWrites, [&](const Area &Other) {
      return Other.Of == At.Of && Other.Begin <= At.Begin && At.End <= Other.End;
    });
    if (At.Of && IsNew) UnseenWrites.push_back(At);
  };
  auto See = [](const CallBase &Call) {
    const Function *Called = Call.getCalledFunction();
    if (Called && !Called->isDeclaration()) return Callee::Own;
    return reachOf(Call) == Reach::Nothing ? Callee::Library : Callee::Unknown;
  };
  for (const Function *F : Bodies) {
    WriteList All;
    findWrites(*F, Places, See, All);
    for (const Write &Is : All) Add(Is.At);
    for (const BasicBlock &Block : *F)
      for (const Instruction &I : Block)
        if (const auto *Store = dyn_cast<StoreInst>(&I); Store && isPlain(*Store, Places))
          Add(*Places.member(Store->getPointerOperand()));
  }
}
