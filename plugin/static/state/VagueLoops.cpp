// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where paths differ in too many facts, those are forgotten that loops have made in which nothing happens to the
// object: three nested loops that compute have thousands of paths. Conditions behind such a loop that ask for what it
// has computed are not followed (PathWalk.h).
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

void PathWalk::findVague() {
  SmallVector<const Loop *, 8> Work(View.Loops.begin(), View.Loops.end());
  while (!Work.empty()) {
    const Loop *L = Work.pop_back_val();
    bool IsQuiet = none_of(L->blocks(), [&](const BasicBlock *Block) {
      return any_of(*Block, [&](const Instruction &I) {
        const auto *Call = dyn_cast<CallBase>(&I);
        return (Call && findMpi(*Call)) || (Object.isEvent(I) && !isArithmetic(I, View.Code));
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

void PathWalk::forgetVague(Node &N) const {
  if (Vague.empty()) return;
  auto IsMade = [&](ValueNumber About) {
    return About && any_of(View.Numbers.leaves(About), [&](const Value *Leaf) {
             return any_of(Vague, [&](const Loop *L) { return isOfLoop(Leaf, *L); });
           });
  };
  N.Known.dropIf([&](const Facts::Fact &Fact) { return IsMade(Fact.About) || IsMade(Fact.Base); });
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
