// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all walks through one function share (PathWalk.h).
#include "static/state/PathWalk.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

FunctionView::FunctionView(const Canonical &Code, const Memory &Stored, Function &F)
    : Code(Code), Stored(Stored), F(F), Ways(F), Tree(F), Loops(Tree) {
  Regions.resize(Ways.size());
  for (Instruction &I : instructions(F))
    if (const auto *Store = dyn_cast<StoreInst>(&I)) Assigned[Numbers.of(Store->getPointerOperand())].push_back(Store);
  for (Instruction &I : instructions(F))
    if (const auto *Load = dyn_cast<LoadInst>(&I); Load && isOld(*Load)) {
      Numbers.keepApart(*Load);
      Old.insert(Load);
    }
  for (Instruction &I : instructions(F)) {
    if (const auto *Branch = dyn_cast<BranchInst>(&I); Branch && Branch->isConditional())
      countUses(Branch->getCondition());
    if (const auto *Switch = dyn_cast<SwitchInst>(&I)) countUses(Switch->getCondition());
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    if (!Mpi) continue;
    if (Mpi->row().tells == MCK_STD_TELLS_RANK || Mpi->row().tells == MCK_STD_TELLS_SIZE) RankCalls.push_back(Call);
    for (const Use &Argument : Call->args()) countUses(Argument);
  }
}

std::pair<unsigned, unsigned> FunctionView::order(const Instruction &I) const {
  return {Ways.indexOf(I.getParent()), unsigned(std::distance(I.getParent()->begin(), I.getIterator()))};
}

const BitVector &FunctionView::region(unsigned At) {
  if (!Regions[At]) Regions[At] = std::make_unique<BitVector>(Ways.between(At));
  return *Regions[At];
}

void FunctionView::sources(const Value *V, SmallPtrSetImpl<const Value *> &Found) {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty() && Seen.size() < 200) {
    const Value *Next = Work.pop_back_val();
    if (!Seen.insert(Next).second) continue;
    for (const Value *Leaf : Numbers.leaves(Numbers.of(Next))) {
      if (const auto *Phi = dyn_cast<PHINode>(Leaf))
        for (const Value *Incoming : Phi->incoming_values()) Work.push_back(Incoming);
      Found.insert(Leaf);
    }
  }
}

void FunctionView::countUses(const Value *V) {
  SmallPtrSet<const Value *, 16> All;
  sources(V, All);
  for (const Value *Leaf : All) ++Uses[Leaf];
}

// Is what the load gives used where the function may have stored something else: `if (--p->references == 0)`?
bool FunctionView::isOld(const LoadInst &Load) {
  ValueNumber Address = Numbers.of(Load.getPointerOperand());
  auto All = Assigned.find(Address);
  if (All == Assigned.end()) return false;
  // Is there a store on a way from the load to an instruction of another block?
  auto HasStoreBefore = [&](const Instruction &I) {
    return any_of(All->second, [&](const StoreInst *Other) {
      return isPotentiallyReachable(&Load, Other, nullptr, &Tree, &Loops) &&
             isPotentiallyReachable(Other, &I, nullptr, &Tree, &Loops);
    });
  };
  const Instruction *Store = Load.getNextNode();
  auto IsStore = [&](const Instruction &I) {
    const auto *Other = dyn_cast<StoreInst>(&I);
    return Other && Numbers.of(Other->getPointerOperand()) == Address;
  };
  while (Store && !IsStore(*Store)) Store = Store->getNextNode();
  SmallVector<const Instruction *, 8> Work{&Load};
  for (unsigned Steps = 0; !Work.empty() && Steps < 50; ++Steps)
    for (const User *By : Work.pop_back_val()->users()) {
      const auto *I = cast<Instruction>(By);
      if (I == Store) continue;
      if (I->getParent() != Load.getParent() ? HasStoreBefore(*I) : Store && Store->comesBefore(I)) return true;
      if (isa<BinaryOperator>(I) || isa<CastInst>(I) || isa<CmpInst>(I) || isa<SelectInst>(I)) Work.push_back(I);
    }
  return false;
}

// Is more known of the leaf of a value than what the first question tells? What is stored is known at once.
bool FunctionView::isAssigned(const Value *Leaf) {
  if (const auto *Load = dyn_cast<LoadInst>(Leaf))
    return isKept(*Load) || Assigned.contains(Numbers.of(Load->getPointerOperand()));
  return isa<PHINode>(Leaf) || Code.origin(Leaf);
}

// A comparison of values of which one is never asked for again will not be decided again, either.
bool FunctionView::isOfUse(ValueNumber About) {
  if (About < OfUse.size() && OfUse[About]) return *OfUse[About];
  ArrayRef<const Value *> Leaves = Numbers.leaves(About);
  bool Is = !Leaves.empty() &&
            all_of(Leaves, [&](const Value *Leaf) { return Uses.lookup(Leaf) >= (isAssigned(Leaf) ? 1U : 2U); });
  if (About >= OfUse.size()) OfUse.resize(About + 1);
  OfUse[About] = Is;
  return Is;
}
