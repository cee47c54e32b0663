// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are equal on all ranks and not known (RankValue.h): arguments of main, what a broadcast brings.
#include "static/RankValue.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace mck::statics;

bool RankValues::isOfMain(const LoadInst &Load) {
  const Value *Base = getUnderlyingObject(Load.getPointerOperand());
  if (const auto *From = dyn_cast<LoadInst>(Base)) Base = getUnderlyingObject(From->getPointerOperand());
  const auto *Main = dyn_cast<Argument>(Base);
  return Main && Main->getParent()->getName() == "main";
}

// The same of the program's arguments: argv[1] once more, and what strcmp says of it.
bool RankValues::isSameOfInput(const Value *A, const Value *B, unsigned Depth) {
  if (A == B) return true;
  const auto *I = dyn_cast<Instruction>(A), *J = dyn_cast<Instruction>(B);
  if (!I || !J || Depth == 6 || !isa<LoadInst, GetElementPtrInst, CastInst, CallInst>(I) || !I->isSameOperationAs(J))
    return false;
  const auto *Call = dyn_cast<CallInst>(I);
  if (Call && Call->arg_empty()) return false; // what MPI gives
  const auto *Load = dyn_cast<LoadInst>(I);
  if (Load && !isOfMain(*Load)) return false;
  for (unsigned At = 0; At < I->getNumOperands(); ++At)
    if (!isSameOfInput(I->getOperand(At), J->getOperand(At), Depth + 1)) return false;
  return true;
}

bool RankValues::comparesTexts(const Value *V) {
  const auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  static constexpr StringRef Names[] = {"strcmp", "strncmp", "strcasecmp", "strncasecmp"};
  return Callee && is_contained(Names, Callee->getName());
}

// What strcmp and the like say of an argument and a text. (A text may be what the program takes without arguments.)
bool RankValues::isOption(const Value *V) {
  if (!comparesTexts(V) || cast<CallInst>(V)->arg_size() < 2) return false;
  const auto *Call = cast<CallInst>(V);
  const Value *A = Call->getArgOperand(0), *B = Call->getArgOperand(1);
  const auto *Given = dyn_cast<LoadInst>(isa<Constant>(A) ? B : A);
  return isa<Constant>(A) != isa<Constant>(B) && Given && isOfMain(*Given);
}

void RankValues::lookForOptions(const Function &F) {
  set({nullptr, 0, SmallestSize, 0});
  for (const Instruction &I : instructions(F))
    if (isOption(&I)) of(&I);
  Lines = findCommandLines(F);
}

// The option that is given in a round, 1 is the first one; 0: none. One argument is equal to one text at most.
bool RankValues::isGiven(unsigned Place) const {
  auto Which = size_t(Now.Round) % (MostOptions + 1);
  return Which && Which <= Options.size() && Options[Which - 1] == Place;
}

RankValue RankValues::certain(const Value *V) const {
  const auto *Given = dyn_cast<Argument>(V);
  bool IsCount = Given && !Given->getArgNo() && Given->getParent()->getName() == "main";
  return IsCount ? RankValue{RankValue::Number, int64_t(line().Arguments.size()) + 1} : RankValue{RankValue::Uniform};
}

// Small numbers: the same for all of them in the first rounds, then others.
RankValue RankValues::symbol(const Value *V) {
  if (!V->getType()->isIntegerTy()) return {RankValue::Uniform};
  auto [Found, IsNew] = Symbols.try_emplace(V, Symbols.size());
  if (IsNew && isa<LoadInst, CallInst>(V))
    for (const auto &[Other, Same] : Symbols)
      if (isSameOfInput(V, Other, 0)) Found->second = std::min(Found->second, Same);
  unsigned Place = Found->second;
  if (isCertainRound(Now.Round)) return certain(V);
  if (isOption(V)) {
    if (!is_contained(Options, Place)) Options.push_back(Place);
    RankValue Is{RankValue::Number, isGiven(Place) ? 0 : 1};
    Is.IsAssumed = true;
    return Is;
  }
  auto Round = unsigned(Now.Round);
  int64_t Value = Round < 3 ? Round : (Round * 5 + Place * (Round | 1)) % 8;
  // Further rounds have all pairs of values of the first two.
  if (Now.Round >= Rounds && Place < 2) Value = (Round - unsigned(Rounds)) >> 3 * Place & 7;
  RankValue Is{RankValue::Number, V->getType()->isIntegerTy(1) ? Value & 1 : Value};
  Is.IsAssumed = true;
  return Is;
}
