// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks each function with what it knows of the others, until nothing is new (RankFlow.h).
#include "RankFlow.h"
#include "DataRanks.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using mck::RankFlow;

constexpr unsigned LargestAsked = 20000, MostAsked = 8; // instructions; rounds

RankFlow::RankFlow(const Module &M) {
  bool IsNew = true;
  for (unsigned Round = 0; IsNew && Round < MostAsked; ++Round) {
    IsNew = false;
    for (const Function &F : M)
      if (!F.isDeclaration() && F.getInstructionCount() < LargestAsked) IsNew |= look(F);
  }
}

bool RankFlow::look(const Function &F) {
  const DataRanks Ranks(F, F, this);
  bool IsNew = false;
  for (const Argument &A : F.args())
    if (Ranks.isRank(&A)) IsNew |= Arguments.insert({&F, A.getArgNo()}).second;
  for (const Value *Object : Ranks.objects())
    if (isa<GlobalVariable>(Object)) IsNew |= Variables[Object].insert(&F).second;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration()) continue;
    if (Ranks.isRank(Call)) IsNew |= Results.insert(Callee).second;
    for (unsigned At = 0; At < Call->arg_size() && At < Callee->arg_size(); ++At) {
      const Value *Given = Call->getArgOperand(At);
      if (!Given->getType()->isPointerTy()) continue;
      const Value *Object = getUnderlyingObject(Given, 0);
      const auto *Own = dyn_cast<Argument>(Object);
      if (Ranks.isRank(Object) || namesVariable(Object) || (Own && namesFilled(&F, Own->getArgNo())))
        IsNew |= Filled.insert({Callee, At}).second;
    }
  }
  return IsNew;
}

bool RankFlow::namesVariable(const Value *Variable, const Function &ButOf) const {
  auto Found = Variables.find(Variable);
  return Found != Variables.end() && any_of(Found->second, [&](const Function *F) { return F != &ButOf; });
}

bool RankFlow::leadsToName(const CallBase &Call, const Value *Variable) const {
  auto Found = Variables.find(Variable);
  if (Found == Variables.end()) return false;
  SmallPtrSet<const Function *, 16> Seen;
  SmallVector<const CallBase *, 16> Work{&Call};
  while (!Work.empty()) {
    const Function *Callee = Work.pop_back_val()->getCalledFunction();
    if (!Callee || Found->second.contains(Callee)) return true;
    if (Callee->isDeclaration() || !Seen.insert(Callee).second) continue;
    for (const Instruction &I : instructions(*Callee))
      if (const auto *Next = dyn_cast<CallBase>(&I)) Work.push_back(Next);
  }
  return false;
}
