// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where paths differ in too many facts, those are forgotten that loops have made in which nothing happens to the
// object: three nested loops that compute have thousands of paths. Conditions behind such a loop that ask for what it
// has computed are not followed (PathWalk.h). At first these are loops without calls of other functions: those that
// read the command line set what is asked later. If that is not enough, also loops that access memory are such ones:
// what each first turn touches is still known.
#include "static/state/PathWalk.h"

using namespace llvm;
using namespace mck::statics;

// A call such as sqrt: it gets no address.
static bool isArithmetic(const Instruction &I, const Canonical &Code) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && !findMpi(*Call) && !Code.mayReachMpi(*Call) && none_of(Call->args(), [](const Use &Argument) {
           return Argument->getType()->isPointerTy() && !isa<Constant>(Argument);
         });
}

static bool isAccess(const Instruction &I) {
  return (isa<LoadInst>(I) || isa<StoreInst>(I) || isa<AnyMemIntrinsic>(I)) && !maySynchronize(I);
}

void PathWalk::findVague(VagueSort Which) {
  MadeVaguely.clear();
  SmallVector<const Loop *, 8> Work(View.Loops.begin(), View.Loops.end());
  while (!Work.empty()) {
    const Loop *L = Work.pop_back_val();
    bool IsQuiet = none_of(L->blocks(), [&](const BasicBlock *Block) {
      return any_of(*Block, [&](const Instruction &I) {
        const auto *Call = dyn_cast<CallBase>(&I);
        bool IsQuiet = isArithmetic(I, View.Code) || (Which == QuietWithAccesses && isAccess(I));
        bool IsOther = Which == Computing && Call && !isa<IntrinsicInst>(Call) && !IsQuiet;
        return (Call && findMpi(*Call)) || (Object.isEvent(I) && !IsQuiet) || IsOther;
      });
    });
    if (IsQuiet) Vague.push_back(L);
    else Work.append(L->begin(), L->end());
  }
}

static bool isOfLoop(const Value *Leaf, const Loop &L) {
  const auto *I = dyn_cast<Instruction>(Leaf);
  return I && L.contains(I);
}

// What variables of loops begin with is kept for the first turn: rows and columns at an edge are touched there.
bool PathWalk::isFirstTurn(ValueNumber About, const BasicBlock *Here) const {
  const auto *Phi = dyn_cast_or_null<PHINode>(View.Numbers.valueOf(About));
  const Loop *L = Phi ? View.Loops.getLoopFor(Phi->getParent()) : nullptr;
  return L && L->getHeader() == Phi->getParent() && L->contains(Here);
}

// Does each turn of the loop come here? What conditions in it ask for is not known.
bool PathWalk::isSure(const Instruction &I) const {
  const BasicBlock *Block = I.getParent();
  for (const Loop *L = View.Loops.getLoopFor(Block); L; L = L->getParentLoop()) {
    if (none_of(Vague, [&](const Loop *Whole) { return Whole->contains(L); })) return true;
    const BasicBlock *Latch = L->getLoopLatch();
    if (!Latch || !View.Tree.dominates(Block, Latch)) return false;
    Block = L->getHeader();
  }
  return true;
}

bool PathWalk::isMadeVaguely(ValueNumber About) const {
  auto [Found, IsNew] = MadeVaguely.try_emplace(About, false);
  if (IsNew)
    Found->second = any_of(View.Numbers.leaves(About), [&](const Value *Leaf) {
      return any_of(Vague, [&](const Loop *L) { return isOfLoop(Leaf, *L); });
    });
  return Found->second;
}

void PathWalk::forgetVague(Node &N, bool IsTurn) const {
  if (Vague.empty()) return;
  const BasicBlock *Here = View.Ways.block(N.Block);
  N.Known.dropIf([&](const Facts::Fact &Fact) {
    if (!IsTurn && !Fact.Base && isFirstTurn(Fact.About, Here)) return false;
    return isMadeVaguely(Fact.About) || (Fact.Base && isMadeVaguely(Fact.Base));
  });
}

bool PathWalk::asksForVague(unsigned At, const Value *Condition) const {
  if (Vague.empty()) return false;
  SmallPtrSet<const Value *, 16> Sources;
  View.sources(Condition, Sources);
  const BasicBlock *Block = View.Ways.block(At);
  return any_of(Vague, [&](const Loop *L) {
    return !L->contains(Block) && any_of(Sources, [&](const Value *Source) { return isOfLoop(Source, *L); });
  });
}
