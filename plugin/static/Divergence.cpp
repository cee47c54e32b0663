// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds collective calls that not all members make (Divergence.h).
//
// For each communicator, small numbers of ranks are enumerated. Each rank takes its ways: where RankValues can compute
// a condition, one of them; else all. At a condition in which two ranks differ, the sequences of collectives of both,
// up to where their ways meet again, are compared. Post-dominance is PARCOACH's; that sequences are compared as
// languages, and only between ranks that are really apart, is not.
//
// Unsure is silent: functions that are not known, a part of the way that depends on what was received in it (a loop
// that serves commands), other conditions on the rank that may make good what is missing here.
#include "static/DivergenceSearch.h"

using namespace llvm;
using namespace mck::statics;

bool Search::collect() {
  Events.resize(Ways.size());
  HasUnknown.resize(Ways.size());
  unsigned Count = 0;
  for (unsigned At = 0; At < Ways.size(); ++At)
    for (const Instruction &I : *Ways.block(At)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call) continue;
      const MpiFunction *Mpi = findMpi(*Call);
      if (!Mpi) {
        if (!Code.origin(Call) && Code.mayReachMpi(*Call)) HasUnknown.set(At);
        continue;
      }
      if (!Mpi->isCollective() || Mpi->row().collective == MCK_STD_COLLECTIVE_GROUP) continue;
      const Value *Handle = argument(*Call, *Mpi, "comm");
      if (!Handle) Handle = argument(*Call, *Mpi, "win");
      if (!Handle) Handle = argument(*Call, *Mpi, "file");
      if (Handle && Handle->getType()->isPointerTy() && Mpi->Parameters[0].Way == Direction::INOUT &&
          Call->getArgOperand(0) == Handle)
        Handle = nullptr; // freed by its address
      bool IsOfWorld = Mpi->row().collective == MCK_STD_COLLECTIVE_CONNECTED;
      if ((!Handle && !IsOfWorld) || (Handle && isSelf(Handle))) continue;
      Events[At].push_back({Call, Mpi, Handle});
      if (const Value *Operation = argument(*Call, *Mpi, "op"))
        AreOperationsKnown &= isa<GlobalVariable>(Values.definition(Operation));
      ++Count;
    }
  return Count > 0 && Count <= MostEvents;
}

Choices Search::choose(const Process &P) {
  Values.set(P);
  Choices C;
  C.Next.assign(Ways.size(), NoBlock);
  C.Why.resize(Ways.size());
  for (unsigned At : Deciders) {
    RankValue &Why = C.Why[At];
    const BasicBlock *Next = Values.successor(*Ways.block(At)->getTerminator(), Why);
    // What each rank has of its own may send any of them any way; what only one rank finds out, that one.
    if (!Next && Why.What == RankValue::Own) {
      const Instruction &End = *Ways.block(At)->getTerminator();
      Next = End.getSuccessor(unsigned(P.Rank + (Why.IsLocal ? P.Size : 0)) % End.getNumSuccessors());
    }
    if (Next) C.Next[At] = Ways.indexOf(Next);
  }
  for (const auto &Block : Events)
    for (const Event &E : Block) {
      if (const Value *Root = argument(*E.Call, *E.Function, "root")) {
        RankValue Is = Values.of(Root);
        bool IsOfTurn = !Is.Loop || (Is.Value < P.Size && comesTo(*Is.Loop, *E.Call->getParent(), C));
        C.Roots[E.Call] = IsOfTurn ? Is : RankValue();
      }
      const CallBase *Split = E.Handle ? Values.part(E.Handle) : nullptr;
      if (Split) C.Colors[E.Call] = Values.color(*Split);
    }
  reach(C);
  return C;
}

// Does the turn of the loop with this header come to the block? In `for (k = 0; k < 2; k++)` that with k = 3 does not.
bool Search::comesTo(const BasicBlock &Header, const BasicBlock &Block, const Choices &C) const {
  unsigned First = Ways.indexOf(&Header);
  BitVector Seen(Ways.size());
  SmallVector<unsigned, 16> Work{First};
  while (!Work.empty()) {
    unsigned At = Work.pop_back_val();
    if (At == NoBlock || Seen.test(At)) continue;
    if (Ways.block(At) == &Block) return true;
    Seen.set(At);
    bool IsDecided = C.Next[At] != NoBlock && (!C.Why[At].Loop || C.Why[At].Loop == &Header);
    if (IsDecided) Work.push_back(C.Next[At]);
    else Work.append(Ways.next(At).begin(), Ways.next(At).end());
  }
  return false;
}

// Does a process end the program at this condition? In a loop, perhaps in a later iteration.
bool Search::mayEnd(unsigned At, const Choices &C) const {
  const RankValue &Why = C.Why[At];
  unsigned Next = C.Next[At];
  if (Next == NoBlock) return false;
  // That all ranks end by a number that is not known says nothing: other numbers may let them go on.
  if (!Why.Loop) return !Ways.isLive(Next) && (Why.isDifferent() || !Why.IsAssumed);
  bool CanEnd = any_of(successors(Ways.block(At)),
                       [&](const BasicBlock *To) { return !Ways.isLive(Ways.indexOf(To)); });
  return CanEnd && (Why.isDifferent() || !Ways.behind(At).test(At)); // or it ends in the first iteration
}

// A process that ends in a loop comes to what is behind only if the loop runs zero times, which is not known. Numbers
// that are not known may send all ranks any way (IsAnyNumber); ranks that differ in them differ as computed.
BitVector Search::comeTo(Choices &C, bool IsAnyNumber) const {
  BitVector Reached(Ways.size()), Behind(Ways.size());
  SmallVector<unsigned, 32> Work{0};
  while (!Work.empty()) {
    unsigned At = Work.pop_back_val();
    if (Reached.test(At)) continue;
    Reached.set(At);
    if (mayEnd(At, C)) {
      BitVector Later = Ways.behind(At);
      if (C.Why[At].Loop || Later.test(At)) {
        C.Ends.set(At);
        Behind |= Later;
      }
      continue;
    }
    bool IsOpen = !isFixed(At, C, nullptr) || (IsAnyNumber && C.Why[At].IsAssumed && !C.Why[At].isDifferent());
    for (unsigned Next : Ways.next(At))
      if (IsOpen || C.Next[At] == Next) Work.push_back(Next);
  }
  return Reached.reset(Behind);
}

void Search::reach(Choices &C) const {
  C.Ends.resize(Ways.size());
  C.Surely = comeTo(C, /*IsAnyNumber=*/false);
  C.Reached = comeTo(C, /*IsAnyNumber=*/true);
}

const std::vector<Choices> &Search::choicesOf(Process P) {
  std::vector<Choices> &All = Known[{P.Comm, {P.Size, P.Round}}];
  if (!All.empty()) return All;
  All.reserve(unsigned(P.Size)); // they are large
  for (P.Rank = 0; P.Rank < P.Size; ++P.Rank) All.push_back(choose(P));
  return All;
}

// A program for two ranks says "rank == 0" and "else if (rank == 1)", and is right with two. So ranks must differ
// wrongly with each number of ranks with which they differ in this condition at all, or rightly in one around it.
void Search::decide(unsigned At, CommKey Comm) {
  for (int Size = SmallestSize; Size <= LargestSize; ++Size) {
    Verdict Worst = verdict(At, Comm, Size);
    if (Worst == Verdict::Fit || Worst == Verdict::Unsure) return;
  }
  const Apart First = Found[{At, Comm}];
  if (!First.At) return;
  for (unsigned Outer : Deciders)
    for (int Size = SmallestSize; Size <= LargestSize && !Regions[Outer].empty() && Regions[Outer].test(At); ++Size)
      if (Verdict Around = verdict(Outer, Comm, Size);
          (Around == Verdict::Fit || Around == Verdict::Unsure) && verdict(At, Comm, Size) == Verdict::NotApart)
        return;
  report(First);
}

// The first place at which a sequence of one has no counterpart in those of the other.
void Search::report(const Apart &Found) {
  const auto &[P, A, B, Condition, Why, InA, InB] = Found;
  struct {
    const CallBase *Here = nullptr, *There = nullptr; // what one calls, and the other in its place
    bool IsOfA = true;
    size_t Common = 0;
  } Place;
  auto Look = [&](const std::vector<Word> &From, const std::vector<Word> &To, bool IsOfA) {
    for (const Word &One : From) {
      const CallBase *Here = nullptr, *There = nullptr;
      size_t Common = 0;
      bool IsThere = false;
      for (const Word &Other : To) {
        size_t I = 0;
        while (I < One.size() && I < Other.size() && One[I].Name == Other[I].Name) ++I;
        IsThere |= I == One.size() && I == Other.size();
        if ((Here || There) && I <= Common) continue;
        Common = I;
        Here = I < One.size() ? One[I].Call : nullptr, There = I < Other.size() ? Other[I].Call : nullptr;
      }
      if (IsThere || (!Here && !There) || (Place.Here && Common <= Place.Common)) continue;
      Place = {Here ? Here : There, Here ? There : nullptr, (Here != nullptr) == IsOfA, Common};
    }
  };
  Look(InA, InB, true);
  if (!Place.Here) Look(InB, InA, false);
  const CallBase *Here = Place.Here, *There = Place.There;
  int First = Place.IsOfA ? A : B, Second = Place.IsOfA ? B : A;
  if (!Here || Unreached.contains(*Here)) return;
  if (!Said.insert(Here).second) return;
  auto Name = [](const CallBase &Call) { return findMpi(Call)->Name.str(); };
  bool IsSame = There && Name(*There) == Name(*Here);
  Warning W{"collective.divergence", Here, Name(*Here) + " is not called by all ranks that must call it together", {}};
  if (There)
    W.Text = Name(*Here) + " is called by some ranks where others call " +
             (IsSame ? "it with another communicator, root or operation" : Name(*There));
  if (There) W.Notes.push_back({There, "the others call " + Name(*There) + " here"});
  std::string Size = std::to_string(P.Size);
  if (Why.What == RankValue::Own && Why.IsLocal)
    W.Notes.push_back({Condition, "only some ranks find out what decides this condition: of " + Size + " ranks, rank " +
                                      std::to_string(A) + " may take another way than rank " + std::to_string(B)});
  else if (Why.What == RankValue::Own) W.Notes.push_back({Condition, "this condition can be another on each rank"});
  else
    W.Notes.push_back({Condition, "ranks differ in this condition: of " + Size + " ranks, rank " +
                                      std::to_string(First) + " goes there and rank " + std::to_string(Second) +
                                      " does not"});
  if (const auto *Source = dyn_cast_or_null<Instruction>(Why.Source))
    W.Notes.push_back({Source, "because of what this call gives"});
  size_t Before = Out.told().size();
  Out.add(W);
  if (There || Out.told().size() == Before) return; // it is suppressed: its consequences are said
  unsigned To = choicesOf(P)[size_t(First)].Next[Ways.indexOf(Condition->getParent())];
  if (To != NoBlock) Missing.push_back({Here, Condition, Ways.block(To)});
}

// The blocks whose calls are on the ways from a condition to where they meet. In a loop the condition's own is one.
BitVector Search::madeFrom(unsigned At) const {
  BitVector Region = Regions.lookup(At), Made = Region;
  if (Region.empty()) return Made;
  for (unsigned Block : Region.set_bits())
    if (is_contained(Ways.next(Block), At)) Made.set(At);
  if (is_contained(Ways.next(At), At)) Made.set(At);
  return Made;
}

bool Search::run() {
  if (Ways.size() > MostBlocks || !collect()) return false;
  for (unsigned At = 0; At < Ways.size(); ++At) {
    const Instruction *End = Ways.block(At)->getTerminator();
    if (!isa<BranchInst>(End) && !isa<SwitchInst>(End)) continue;
    if (End->getNumSuccessors() > 1) Deciders.push_back(At); // also where one way ends the program
    if (Ways.next(At).size() > 1) Regions[At] = Ways.between(At);
  }
  // Where no call is to be compared, no value is to be computed.
  for (unsigned At : Deciders) {
    if (Regions[At].empty()) continue;
    BitVector Made = madeFrom(At);
    bool HasEvent = any_of(Made.set_bits(), [&](unsigned Block) { return !Events[Block].empty(); });
    bool IsUnknown = any_of(Made.set_bits(), [&](unsigned Block) { return HasUnknown.test(Block); });
    if (HasEvent && !IsUnknown) Wanted.push_back(At);
  }
  if (Wanted.empty()) return false;
  // From the inside out: the condition that is nearest to a call decides.
  llvm::sort(Wanted, [&](unsigned A, unsigned B) {
    return std::make_pair(Regions[A].count(), A) < std::make_pair(Regions[B].count(), B);
  });
  World = findWorld(*F.getParent());
  SmallVector<CommKey, 4> Comms;
  for (const auto &Block : Events)
    for (const Event &E : Block)
      if (CommKey Ranks = E.Handle ? Values.ranksOf(E.Handle) : World; Ranks && !is_contained(Comms, Ranks))
        Comms.push_back(Ranks);
  for (CommKey Comm : Comms)
    for (unsigned At : Wanted) decide(At, Comm);
  return !Said.empty();
}

Divergences mck::statics::findDivergence(const Canonical &Code, const Memory &Stored, Warnings &Out) {
  Divergences All;
  if (!Out.isOn("collective.divergence")) return All;
  RankValues Values(Code, Stored);
  UnreachedCode Unreached(Code, Stored);
  for (Function *F : Code.roots())
    if (Search(Code, Values, Unreached, *F, Out, All.Missing).run()) All.Functions.insert(F);
  return All;
}
