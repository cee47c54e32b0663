// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the paths of a function (PathWalk.h).
#include "static/state/PathWalk.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostNodes = 8000, MostTurns = 6, MostInVain = 5000;
constexpr WalkBudget Exact{MostNodes, 24, false}, LastExact{MostNodes, 64, false}, Merged{2000, 8, true};

PathWalk::PathWalk(FunctionView &View, Machine &Object, RankValues *Values)
    : View(View), Thinker(View.Numbers, Values), Memories(Thinker, View.F.getParent()->getDataLayout()),
      EventBlocks(View.Ways.size()), Object(Object) {}

void PathWalk::prepare() {
  Steps.assign(View.Ways.size(), {});
  Events.clear();
  for (unsigned At = 0; At < View.Ways.size(); ++At)
    for (const Instruction &I : *View.Ways.block(At)) {
      bool IsEvent = Object.isEvent(I);
      if (IsEvent && &I != Start) EventBlocks.set(At);
      if (IsEvent && &I != Start && isa<CallBase>(I)) Events.push_back(&I);
      bool IsKept = isa<LoadInst>(I) && View.isKept(cast<LoadInst>(I));
      bool IsCall = isa<AnyMemIntrinsic>(I) || (isa<CallBase>(I) && !isa<IntrinsicInst>(I));
      if (IsEvent || isa<StoreInst>(I) || maySynchronize(I) || IsCall || IsKept) Steps[At].push_back(&I);
    }
  Around.clear();
  Leading.clear();
  if (!Start) return;
  unsigned Block = View.Ways.indexOf(Start->getParent());
  Leading = View.Ways.before(Block);
  Leading.set(Block);
  for (unsigned At = 0; At < View.Ways.size(); ++At)
    if (View.Ways.next(At).size() > 1 && View.region(At).test(Block)) Around.push_back(At);
}

bool PathWalk::run(const Instruction *From, bool Careful) {
  Start = From, IsCareful = Careful;
  prepare();
  if (Around.size() > 64 || View.Ways.size() == 0 || !View.Ways.isLive(0)) return false;
  Vague.clear();
  if (tryOnce(Exact, 0)) return true;
  for (VagueSort Which : {Computing, Quiet, QuietWithAccesses}) {
    SmallVector<const Loop *, 4> Before = std::exchange(Vague, {});
    findVague(Which);
    if (Vague.empty() || (Which == Quiet && Vague == Before)) continue;
    if (tryOnce(Which == QuietWithAccesses ? LastExact : Exact, 1 + Which)) return true;
  }
  Vague.clear();
  return tryOnce(Merged, 4) || Object.hasFound(); // what is wrong on one path is wrong, whatever the others do
}

// Walks of one function are mostly given up for the same reason. And each block is entered twice at least where paths
// of some length are merged.
bool PathWalk::tryOnce(WalkBudget Most, unsigned Which) {
  if (View.InVain[Which] > MostInVain) return false;
  if (Most.IsMerged && 2 * relevantBlocks() > Most.Blocks) return false;
  if (follow(Most)) return true;
  View.InVain[Which] += Trail.size();
  return false;
}

size_t PathWalk::relevantBlocks() const {
  if (!Start) return View.Ways.size();
  BitVector Found = View.Ways.behind(View.Ways.indexOf(Start->getParent()));
  Found |= Leading;
  return Found.count();
}

bool PathWalk::follow(WalkBudget Most) {
  Budget = Most;
  IsGivenUp = false;
  Trail.clear(), Work.clear(), Seen.clear(), Turned.clear(), Lost.clear();
  Node First;
  First.IsTracking = !Start;
  arrive(std::move(First), false);
  while (!Work.empty() && !IsGivenUp) {
    Node N = std::move(Work.back());
    Work.pop_back();
    advance(std::move(N));
  }
  return !IsGivenUp;
}

// The rest of a block, from a step on.
void PathWalk::advance(Node N) {
  const auto &All = Steps[N.Block];
  while (N.Step < All.size()) {
    const Instruction &I = *All[N.Step++];
    if (Object.isEvent(I)) {
      SmallVector<Node, 2> More;
      Object.step(I, N, *this, More);
      for (Node &Other : More)
        if (!Other.IsDead) Work.push_back(std::move(Other));
      if (Work.size() > MostNodes) IsGivenUp = true;
      if (N.IsDead || IsGivenUp) return;
    }
    if (maySynchronize(I)) forgetShared(N.Known); // what other threads have stored may be seen from here on
    if (const auto *Store = dyn_cast<StoreInst>(&I)) remember(*Store, N.Known);
    else if (const auto *Call = dyn_cast<CallBase>(&I)) forget(*Call, N.Known);
    else if (const auto *Load = dyn_cast<LoadInst>(&I); Load && View.isKept(*Load)) keep(*Load, N.Known);
  }
  leave(N);
}

// Code that is not optimized has one block that returns, and jumps to it from each return statement, through the ends
// of variables. A function without a value may come to it by itself, from a loop.
const Instruction &PathWalk::returnOf(const Node &N, const Instruction &End) const {
  auto IsPlain = [](const Instruction &I) {
    return I.isTerminator() || I.isLifetimeStartOrEnd() || isa<LoadInst, PHINode, DbgInfoIntrinsic>(I);
  };
  const BasicBlock *Block = End.getParent();
  bool HasValue = cast<ReturnInst>(End).getReturnValue();
  for (int At = N.Trail; At >= 0 && all_of(*Block, IsPlain); At = Trail[size_t(At)].Parent) {
    if (!HasValue && At != N.Trail) break;
    Block = View.Ways.block(Trail[size_t(At)].Block);
    bool IsEnd = any_of(*Block, [](const Instruction &I) { return I.isLifetimeStartOrEnd(); });
    const auto *Jump = dyn_cast<BranchInst>(Block->getTerminator());
    if (!IsEnd && Jump && Jump->isUnconditional() && Jump->getDebugLoc()) return *Jump;
  }
  return End;
}

void PathWalk::leave(Node &N) {
  const Instruction &End = *View.Ways.block(N.Block)->getTerminator();
  if (View.Ways.isEnd(N.Block)) {
    if (isa<ReturnInst>(End)) Object.end(returnOf(N, End), N, *this);
    return;
  }
  if (Given && Given->Condition == &End) return go(std::move(N), View.Ways.indexOf(Given->To));
  ArrayRef<unsigned> Next = View.Ways.next(N.Block);
  const auto *Branch = dyn_cast<BranchInst>(&End);
  const auto *Switch = dyn_cast<SwitchInst>(&End);
  const Value *Condition = Switch                              ? Switch->getCondition()
                           : Branch && Branch->isConditional() ? Branch->getCondition()
                                                               : nullptr;
  bool IsOpen = false;
  if (Switch) IsOpen = !Thinker.rangeOf(Condition, N.Known).isOne();
  else if (Condition) IsOpen = !Thinker.decide(Condition, N.Known);
  if (IsOpen && (asksForVague(N.Block, Condition) || asksForLost(N.Block, Condition))) return;
  if (IsOpen && Next.size() > 1 && (!isAllowed(N, N.Block) || !Object.isAllowed(N.Block, N, *this))) return;
  const Loop *Only = IsOpen ? Object.onlyInto(N.Block, N, *this) : nullptr;
  for (unsigned To : Next) {
    const BasicBlock *Block = View.Ways.block(To);
    if (Only && !Only->contains(Block)) continue;
    Node Copy = N;
    bool IsTaken = true;
    if (Branch && Condition && Branch->getSuccessor(0) != Branch->getSuccessor(1)) {
      IsTaken = Thinker.assume(Condition, Branch->getSuccessor(0) == Block, Copy.Known);
    } else if (Switch) {
      const ConstantInt *Only = const_cast<SwitchInst *>(Switch)->findCaseDest(const_cast<BasicBlock *>(Block));
      if (!IsOpen) {
        const auto *Is = ConstantInt::getSigned(cast<IntegerType>(Condition->getType()),
                                                Thinker.rangeOf(Condition, N.Known).Low);
        IsTaken = Switch->findCaseValue(cast<ConstantInt>(Is))->getCaseSuccessor() == Block;
      } else if (Only && Switch->getDefaultDest() != Block) {
        IsTaken = Thinker.assumeEqual(Condition, Only->getSExtValue(), Copy.Known);
      }
    }
    if (IsTaken && (!IsOpen || Object.mayGo(N.Block, To, Copy))) go(std::move(Copy), To);
  }
}

// May a condition that is not known be taken in both ways? Where the object began under one condition, and another one
// decides what happens to it, the two may belong together in a way that is not seen.
bool PathWalk::isAllowed(Node &N, unsigned At) {
  if (!Start || !IsCareful) return true;
  if (!N.IsTracking) {
    for (size_t I = 0; I < Around.size(); ++I)
      if (Around[I] == At) N.Open |= UINT64_C(1) << I;
    return true;
  }
  const BasicBlock *Block = View.Ways.block(At);
  const BitVector &Region = View.region(At);
  if (!N.Open || !(Region.anyCommon(EventBlocks) || (Region.test(View.Ways.indexOf(Start->getParent()))))) return true;
  const Loop *L = View.Loops.getLoopFor(Block);
  bool IsLoop = L && L->contains(Start->getParent()) && L->isLoopExiting(Block) && L->getHeader() == Block;
  bool IsInside = true;
  for (size_t I = 0; I < Around.size(); ++I) {
    if (!(N.Open >> I & 1)) continue;
    IsInside &= Around[I] == At ? IsLoop : View.region(Around[I]).test(At);
  }
  return IsInside || isFresh(Block->getTerminator()->getOperand(0), N.Open);
}

// Made of results of calls behind the beginning only, and of none of functions that are asked there, too.
bool PathWalk::isFresh(const Value *Condition, uint64_t Open) {
  SmallPtrSet<const Value *, 16> Sources, Others;
  if (const auto *Branch = dyn_cast<BranchInst>(Condition)) Condition = Branch->getCondition();
  View.sources(Condition, Sources);
  for (size_t I = 0; I < Around.size(); ++I)
    if (Open >> I & 1) View.sources(View.Ways.block(Around[I])->getTerminator()->getOperand(0), Others);
  Sources.remove_if([](const Value *Source) { return isa<PHINode>(Source); });
  return !Sources.empty() && all_of(Sources, [&](const Value *Source) {
    const auto *Call = dyn_cast<CallBase>(Source);
    return Call && View.Tree.dominates(Start, Call) && none_of(Others, [&](const Value *Other) {
             const auto *Asked = dyn_cast<CallBase>(Other);
             return Asked && Asked->getCalledOperand() == Call->getCalledOperand();
           });
  });
}

// Same: variables of the loop that are what they were in the turn before.
void PathWalk::turn(Facts &F, const Loop &L, const SmallPtrSetImpl<const Value *> &Same) {
  auto IsInside = [&](ValueNumber About) {
    return any_of(View.Numbers.leaves(About), [&](const Value *Leaf) {
      const auto *I = dyn_cast<Instruction>(Leaf);
      return I && !isa<LoadInst>(I) && L.contains(I) && !Same.contains(Leaf);
    });
  };
  F.dropIf([&](const Facts::Fact &Fact) { return IsInside(Fact.About) || (Fact.Base && IsInside(Fact.Base)); });
}

// Over an edge: variables where values meet become what came.
void PathWalk::go(Node N, unsigned To) {
  const BasicBlock *Block = View.Ways.block(To), *Before = View.Ways.block(N.Block);
  for (size_t I = 0; I < Turned.size(); ++I)
    if ((N.Turning >> I & 1) && !Turned[I]->contains(Block)) return;
  bool IsTurn = View.Tree.dominates(Block, Before);
  const Loop *L = IsTurn ? View.Loops.getLoopFor(Block) : nullptr;
  forgetSearched(N, *Before, *Block);
  SmallVector<Facts::Fact, 4> New;
  SmallPtrSet<const Value *, 4> Same;
  for (const PHINode &Phi : Block->phis()) {
    ValueNumber About = View.Numbers.of(&Phi);
    if (!View.isOfUse(About)) continue;
    Sum Is = Thinker.valueOf(Phi.getIncomingValueForBlock(Before), N.Known);
    if (L && Is.Terms.size() == 1 && Is.Terms[0] == std::make_pair(About, int64_t(1)) && Is.Rest == Range{0, 0}) {
      Same.insert(&Phi);
      continue;
    }
    bool IsPlain = Is.Terms.size() == 1 && Is.Terms[0].second == 1 && Is.Terms[0].first != About;
    if (IsPlain)
      for (const Value *Leaf : View.Numbers.leaves(Is.Terms[0].first))
        if (const auto *I = dyn_cast<Instruction>(Leaf)) IsPlain &= I->getParent() != Block && !(L && L->contains(I));
    if (IsPlain) New.push_back({About, Is.Terms[0].first, Is.Rest});
    else New.push_back({About, 0, Thinker.rangeOf(Is, N.Known)});
  }
  if (L) {
    Object.turn(N, *L, *this);
    turn(N.Known, *L, Same);
  }
  for (const PHINode &Phi : Block->phis()) {
    ValueNumber About = View.Numbers.of(&Phi);
    if (Same.contains(&Phi)) continue;
    N.Known.dropIf([&](const Facts::Fact &Fact) { return Fact.About == About || Fact.Base == About; });
  }
  for (const Facts::Fact &Fact : New) N.Known.set(Fact);
  N.Known.dropIf([&](const Facts::Fact &Fact) { return !View.isOfUse(Fact.About); });
  Trail.push_back({N.Trail, N.Block, To});
  N.Trail = int(Trail.size()) - 1;
  N.Block = To, N.Step = 0;
  arrive(std::move(N), IsTurn);
}

// With how many values has the variable come to its loop?
static size_t valuesOf(ValueNumber About, const std::vector<Facts> &Before) {
  SmallVector<Range, 8> Values;
  for (const Facts &Known : Before)
    if (const Facts::Fact *Fact = Known.find(About); Fact && !is_contained(Values, Fact->Is))
      Values.push_back(Fact->Is);
  return Values.size();
}

// A variable of a loop that grows from turn to turn has no upper end.
void PathWalk::widen(Facts &F, const std::vector<Facts> &Before, unsigned Block) {
  for (const PHINode &Phi : View.Ways.block(Block)->phis()) {
    const Facts::Fact *Now = F.find(View.Numbers.of(&Phi));
    const Facts::Fact *Last = Before.back().find(View.Numbers.of(&Phi));
    if (!Now || Now->Base || (Last && Last->Is == Now->Is && !Last->Base)) continue;
    if (valuesOf(Now->About, Before) < MostTurns) continue; // it is other facts in which the paths differ
    Range Is;
    if (Last && !Last->Base && Now->Is.Low >= Last->Is.Low) Is.Low = Last->Is.Low;
    if (Last && !Last->Base && Now->Is.High <= Last->Is.High) Is.High = Last->Is.High;
    F.set({Now->About, 0, Is});
  }
}

// Which turn it is, is not known any more: `for (k = 0; k < 9; k++) MPI_Request_free(&r[k])` is not left before one
// more turn, in which the index may be that of the object.
void PathWalk::turnOnce(Node &N, const Facts &Before) {
  bool IsChanged = any_of(View.Ways.block(N.Block)->phis(), [&](const PHINode &Phi) {
    const Facts::Fact *Then = Before.find(View.Numbers.of(&Phi)), *Now = N.Known.find(View.Numbers.of(&Phi));
    return Then && (!Now || !(*Now == *Then));
  });
  if (N.IsTracking && IsChanged) N.Turning |= turningBit(N.Block);
}

// Is it about another element in each turn: is an index of its addresses made of a variable of the loop?
bool PathWalk::isOfTurn(const Instruction &Event, const Loop &L) {
  SmallVector<std::pair<const Instruction *, bool>, 8> Work{{&Event, false}}; // and whether it is such an index
  SmallPtrSet<const Instruction *, 16> Seen;
  while (!Work.empty()) {
    auto [I, IsIndex] = Work.pop_back_val();
    if (!L.contains(I) || Seen.size() > 64 || !Seen.insert(I).second) continue;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader() && IsIndex) return true;
    const auto *Step = dyn_cast<GetElementPtrInst>(I);
    bool IsAddress = Step || I == &Event || IsIndex;
    for (const Use &Operand : I->operands())
      if (const auto *From = dyn_cast<Instruction>(Operand); From && IsAddress)
        Work.push_back({From, IsIndex || (Step && Operand.getOperandNo() > 0)});
  }
  return false;
}

uint64_t PathWalk::turningBit(unsigned Header) {
  const Loop *L = View.Loops.getLoopFor(View.Ways.block(Header));
  if (!L || L->getHeader() != View.Ways.block(Header)) return 0;
  auto Found = find(Turned, L);
  if (Found != Turned.end()) return UINT64_C(1) << (Found - Turned.begin());
  if (Turned.size() == 64 || none_of(Events, [&](const Instruction *I) { return isOfTurn(*I, *L); })) return 0;
  Turned.push_back(L);
  return UINT64_C(1) << (Turned.size() - 1);
}

void PathWalk::arrive(Node &&N, bool IsTurn) {
  if (!N.IsTracking && Start && !Leading.test(N.Block)) return; // the object does not come to be
  forgetVague(N, IsTurn);
  uint64_t Own = N.Turning ? turningBit(N.Block) : 0;
  bool HasTurned = IsTurn && N.Turning & Own;
  if (HasTurned) N.Turning &= ~Own;
  const Facts Exact = N.Known;
  auto Find = [&]() -> auto & { return Seen[{N.Block, N.State, N.Open << 1 | N.IsTracking, N.Turning}]; };
  if (auto &Turns = Find(); IsTurn && Turns.size() >= MostTurns) {
    widen(N.Known, Turns, N.Block);
    if (!HasTurned) turnOnce(N, Exact);
  }
  auto &Before = Find();
  for (const Facts &Other : Before)
    if (N.Known.implies(Other)) return;
  Before.push_back(N.Known);
  bool AreMany = Before.size() > Budget.Facts;
  if ((AreMany && !Budget.IsMerged) || Trail.size() > Budget.Blocks) IsGivenUp = true;
  if (AreMany && Budget.IsMerged) {
    N.Known = merge(Before);
    Before = {N.Known};
    if (!HasTurned) turnOnce(N, Exact);
  }
  Work.push_back(std::move(N));
}

// At the end of a block with variables clang asks where to go on: that was decided before.
const Instruction *PathWalk::turningPoint(const Node &N, const BitVector &To) const {
  bool IsFound = false;
  for (int At = N.Trail; At >= 0; At = Trail[At].Parent) {
    const Mark &M = Trail[At];
    ArrayRef<unsigned> Next = View.Ways.next(M.Block);
    if (Next.size() < 2) continue;
    auto Leads = [&](unsigned Block) { return To.test(Block) || View.Ways.behind(Block).anyCommon(To); };
    IsFound |= !Leads(M.Next) && any_of(Next, Leads);
    const Instruction *Turn = View.Ways.block(M.Block)->getTerminator();
    if (IsFound && Turn->getDebugLoc()) return Turn;
  }
  return nullptr;
}
