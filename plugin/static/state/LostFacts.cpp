// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What paths know no more (PathWalk.h): where they are merged, and where a search ends.
#include "static/RankValue.h"
#include "static/state/PathWalk.h"

using namespace llvm;
using namespace mck::statics;

// What all paths know on which the object's state is the same: a merge of ESP.
Facts PathWalk::merge(const std::vector<Facts> &All) {
  Facts Found = All.back();
  Found.dropIf([&](const Facts::Fact &Fact) {
    return any_of(All, [&](const Facts &Other) {
      const Facts::Fact *There = Other.find(Fact.About);
      return !There || !(*There == Fact);
    });
  });
  for (const Facts &One : All) {
    Facts Left = One;
    Left.dropIf([&](const Facts::Fact &Fact) { return Found.find(Fact.About); });
    Left.dropIf([&](const Facts::Fact &Fact) {
      for (const Value *Leaf : View.Numbers.leaves(Fact.About)) Lost.insert(Leaf);
      return false;
    });
  }
  return Found;
}

// Behind a merge a condition may go with one before in a way that is not known any more: `if (k > 0) MPI_Wait(...)`.
bool PathWalk::asksForLost(unsigned At, const Value *Condition) const {
  if (Lost.empty()) return false;
  const BitVector &Region = View.region(At);
  if (!Region.anyCommon(EventBlocks) && !(Start && Region.test(View.Ways.indexOf(Start->getParent())))) return false;
  SmallPtrSet<const Value *, 16> Sources;
  View.sources(Condition, Sources);
  return any_of(Sources, [&](const Value *Source) { return Lost.contains(Source); });
}

// A search ends where the data says so: at which index is not known, though the path has a number. Two searches for a
// free slot do not find the same one.
void PathWalk::forgetSearched(Node &N, const BasicBlock &From, const BasicBlock &To) const {
  const Loop *L = View.Loops.getLoopFor(&From);
  if (!L || L->contains(&To) || L->getHeader() == &From) return;
  const auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  SmallPtrSet<const Value *, 16> Sources;
  for (const BasicBlock *Before = &From; Before && L->contains(Before) && Before != L->getHeader();
       Before = Before->getSinglePredecessor()) {
    Branch = dyn_cast<BranchInst>(Before->getTerminator());
    if (Branch && Branch->isConditional()) View.sources(Branch->getCondition(), Sources);
  }
  if (none_of(Sources, [](const Value *Source) {
        return (isa<LoadInst>(Source) && Source->getType()->isIntegerTy()) || RankValues::comparesTexts(Source);
      }))
    return;
  for (const PHINode &Phi : L->getHeader()->phis()) {
    ValueNumber About = View.Numbers.of(&Phi);
    N.Known.dropIf([&](const Facts::Fact &Fact) { return Fact.About == About && !Fact.Base; });
  }
}
