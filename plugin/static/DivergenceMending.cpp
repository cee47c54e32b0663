// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who takes part in a collective call, and whether other conditions may make good for one that is missing.
#include "static/DivergenceSearch.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace mck::statics;

// Are both members of the event's communicator? A part that MPI_Comm_split or MPI_Cart_sub made has those of one color.
bool Search::takesPart(const Event &E, const Process &P, const Choices &A, const Choices &B) {
  if (!E.Handle) return true;
  CommKey Ranks = Values.ranksOf(E.Handle);
  if (Ranks == P.Comm || Ranks == World) return true;
  const CallBase *Split = Values.part(E.Handle);
  if (!Split || Values.ranksOf(argument(*Split, *findMpi(*Split), "comm")) != P.Comm) return false;
  RankValue One = A.Colors.lookup(E.Call), Other = B.Colors.lookup(E.Call);
  return One.What == RankValue::Number && Other.What == RankValue::Number && One.Value == Other.Value;
}

std::string Search::nameOf(const Event &E, const Choices &C, bool HasRoots) {
  std::string Name = std::to_string(E.Function->Number);
  Name += " " + std::to_string(reinterpret_cast<uintptr_t>(commOf(E)));
  if (HasRoots)
    if (auto Root = C.Roots.find(E.Call); Root != C.Roots.end()) Name += " root " + std::to_string(Root->second.Value);
  if (const Value *Operation = argument(*E.Call, *E.Function, "op"); Operation && AreOperationsKnown)
    Name += (" op " + Values.definition(Operation)->getName()).str();
  return Name;
}

// Between two groups only the root says who it is (5.2.3), by negative numbers.
bool Search::areRootsKnown(const Choices &A, const Choices &B) const {
  for (const Choices *C : {&A, &B})
    for (const auto &[Call, Root] : C->Roots)
      if (Root.What != RankValue::Number || Root.Value < 0) return false;
  return true;
}

// From the beginning of one block to that of another.
Sequence Search::sequence(unsigned From, unsigned To, const Choices &C, const Process &P, const Choices &Other,
                          std::map<std::string, unsigned> &Names, bool HasRoots, const BitVector *Region) {
  Sequence Made;
  DenseMap<unsigned, unsigned> Begin;
  unsigned End = Made.addState();
  if (To != NoBlock && To != AnyEnd) Begin[To] = End;
  SmallVector<unsigned, 32> Work;
  auto StateOf = [&](unsigned Block) {
    auto [Place, IsNew] = Begin.try_emplace(Block, 0);
    if (IsNew) {
      Place->second = Made.addState();
      Work.push_back(Block);
      return Begin[Block];
    }
    return Place->second;
  };
  unsigned Start = StateOf(From);
  while (!Work.empty()) {
    unsigned Block = Work.pop_back_val(), State = Begin[Block];
    for (const Event &E : Events[Block]) {
      if (!takesPart(E, P, C, Other) || (Only && commOf(E) != Only)) continue;
      unsigned Name = Names.try_emplace(nameOf(E, C, HasRoots), unsigned(Names.size())).first->second;
      unsigned After = Made.addState();
      Made.addLetter(State, {Name, E.Call}, After);
      State = After;
    }
    if (Ways.isEnd(Block) && (To == NoBlock || To == AnyEnd)) Made.addStep(State, End);
    if (To == AnyEnd && C.Surely.test(Block) && mayEnd(Block, C)) Made.addStep(State, End);
    for (unsigned Next : Ways.next(Block)) {
      if (!isFixed(Block, C, Region) || C.Next[Block] == Next) Made.addStep(State, StateOf(Next));
    }
  }
  Made.finish(Start, End);
  return Made;
}

// Is a condition made of something that comes to be in these blocks: that is read, or given by a call, or meets there?
bool Search::isMadeWithin(unsigned At, const BitVector &Region) const {
  SmallVector<const Value *, 8> Work{Ways.block(At)->getTerminator()->getOperand(0)};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    unsigned Block = I && Seen.insert(I).second ? Ways.indexOf(I->getParent()) : NoBlock;
    if (Block == NoBlock || !Region.test(Block)) continue;
    if (isa<LoadInst>(I) || isa<CallBase>(I) || isa<PHINode>(I)) return true;
    for (const Use &Operand : I->operands()) Work.push_back(Operand);
  }
  return false;
}

// Is it known where a process goes? A condition on a loop's variable, or on a clock, has another value in the next
// iteration. A number that is not known, and comes to be in these blocks, may be another than that of other ranks.
bool Search::isFixed(unsigned At, const Choices &C, const BitVector *Region) const {
  const RankValue &Why = C.Why[At];
  if (C.Next[At] == NoBlock || Why.Loop || Why.What != RankValue::Number) return false;
  return !Why.IsAssumed || !Region || !isMadeWithin(At, *Region);
}

// Does a part of the way depend on something that came to be within it, behind a call that brings data? Conditions
// that decide on no collective call play no part.
bool Search::isInformed(const BitVector &Region, const Choices &C) const {
  BitVector Behind(Ways.size());
  SmallVector<unsigned, 32> Reached;
  for (unsigned At : Region.set_bits())
    for (const Instruction &I : *Ways.block(At))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const MpiFunction *Mpi = findMpi(*Call); Mpi && Mpi->row().buffers_out) Reached.push_back(At);
  while (!Reached.empty()) {
    unsigned At = Reached.pop_back_val();
    if (!Region.test(At) || Behind.test(At)) continue;
    Behind.set(At);
    Reached.append(Ways.next(At).begin(), Ways.next(At).end());
  }
  return any_of(Behind.set_bits(), [&](unsigned At) {
    if (Ways.next(At).size() < 2 || isFixed(At, C, &Region) || !isMadeWithin(At, Region)) return false;
    return any_of(madeFrom(At).set_bits(), [&](unsigned Block) { return !Events[Block].empty(); });
  });
}

// Other conditions in which ranks differ can make up for it: "if (rank == 0) send part; ...; if (rank != 0) the other".
bool Search::mayBeMadeGood(unsigned At, const Process &P, const Choices &A, const Choices &B, bool HasRoots) {
  bool HasOther = false;
  for (unsigned Other : Deciders) {
    if (Other == At || (A.Next[Other] == B.Next[Other] && !A.Why[Other].isDifferent())) continue;
    const BitVector &Region = Regions[Other];
    if (Region.empty()) continue;
    if (Regions[At].test(Other) || Region.test(At)) continue;
    for (unsigned Block : Region.set_bits()) {
      if (HasUnknown.test(Block)) return true;
      HasOther |= any_of(Events[Block], [&](const Event &E) { return takesPart(E, P, A, B); });
    }
  }
  if (!HasOther) return false;
  std::map<std::string, unsigned> Names;
  Sequence OfA = sequence(0, NoBlock, A, P, B, Names, HasRoots, nullptr);
  Sequence OfB = sequence(0, NoBlock, B, P, A, Names, HasRoots, nullptr);
  return OfA.isEmpty() || OfB.isEmpty() || Sequence::haveCommon(OfA, OfB).value_or(true);
}

// The numbers that lead there count: "if (n == m) { if (rank < half) return; } ... if (n == m) MPI_Abort(...)" is
// right.
bool Search::isAtBoth(unsigned At, const Choices &A, const Choices &B) const {
  return AreNumbersMet ? A.Surely.test(At) && B.Surely.test(At) : A.Reached.test(At) && B.Reached.test(At);
}

// "if (rank <= n) MPI_Barrier(comm); if (rank > n) MPI_Abort(comm, 1);" keeps nobody waiting: the program ends. One
// that ends it behind the condition has to call nothing but what the other begins with.
bool Search::mayEndFirst(unsigned At, const Process &P, const Choices &C, const Choices &Other) {
  BitVector Later = Ways.behind(At);
  if (none_of(Deciders, [&](unsigned D) { return Later.test(D) && C.Surely.test(D) && mayEnd(D, C); })) return false;
  std::map<std::string, unsigned> Names;
  bool HasRoots = areRootsKnown(C, Other), IsWhole, IsWholeOfOther;
  auto Mine = sequence(C.Next[At], AnyEnd, C, P, Other, Names, HasRoots, nullptr).words(MostWords, IsWhole);
  auto Others = sequence(Other.Next[At], AnyEnd, Other, P, C, Names, HasRoots, nullptr)
                    .words(MostWords, IsWholeOfOther);
  if (!IsWhole || !IsWholeOfOther) return true;
  return any_of(Mine, [&](const Word &W) {
    return any_of(Others, [&](const Word &O) {
      return W.size() <= O.size() && std::equal(W.begin(), W.end(), O.begin(),
                                                [](const Letter &A, const Letter &B) { return A.Name == B.Name; });
    });
  });
}

// If no numbers of a round lead there, a condition on numbers behind it may be the same one, and end the program.
bool Search::mayAllEndBehind(unsigned At, const Choices &C) const {
  BitVector Later = Ways.behind(At);
  return any_of(Deciders, [&](unsigned Other) {
    return Later.test(Other) && C.Why[Other].IsAssumed &&
           any_of(successors(Ways.block(Other)), [&](const BasicBlock *To) { return !Ways.isLive(Ways.indexOf(To)); });
  });
}

bool Search::areNumbersMet(unsigned At, Process P) {
  for (P.Round = 0; P.Round < Rounds; ++P.Round) {
    const std::vector<Choices> &All = choicesOf(P);
    if (count_if(All, [&](const Choices &C) { return C.Surely.test(At); }) > 1) return true;
    if (!Values.hasSymbols()) break;
  }
  return false;
}

// Calls of different communicators may come in any order if they do not block (5.12).
Verdict Search::compare(unsigned At, const Process &P, int A, int B, const Choices &OfA, const Choices &OfB) {
  unsigned FirstOfA = OfA.Next[At], FirstOfB = OfB.Next[At];
  if (FirstOfA == FirstOfB || !is_contained(Ways.next(At), FirstOfA) || !is_contained(Ways.next(At), FirstOfB) ||
      !isAtBoth(At, OfA, OfB) || OfA.Ends.anyCommon(Regions[At]) || OfB.Ends.anyCommon(Regions[At]))
    return Verdict::NotApart;
  if (!AreNumbersMet && (mayAllEndBehind(At, OfA) || mayAllEndBehind(At, OfB))) return Verdict::Unsure;
  bool IsAnyOrder = false;
  SmallVector<CommKey, 4> Comms;
  for (unsigned Block : madeFrom(At).set_bits())
    for (const Event &E : Events[Block])
      if (takesPart(E, P, OfA, OfB)) {
        IsAnyOrder |= E.Function->row().returns == MCK_STD_RETURNS_STARTED;
        if (CommKey Comm = commOf(E); !is_contained(Comms, Comm)) Comms.push_back(Comm);
      }
  if (!IsAnyOrder) Comms = {nullptr};
  Verdict Worst = Verdict::NotApart;
  for (CommKey Comm : Comms) {
    Only = Comm;
    Worst = std::max(Worst, compareOrdered(At, P, A, B, OfA, OfB));
  }
  return Worst;
}

Verdict Search::compareOrdered(unsigned At, const Process &P, int A, int B, const Choices &OfA, const Choices &OfB) {
  bool HasRoots = areRootsKnown(OfA, OfB);
  std::map<std::string, unsigned> Names;
  unsigned Meeting = Ways.meeting(At);
  Sequence InA = sequence(OfA.Next[At], Meeting, OfA, P, OfB, Names, HasRoots, &Regions[At]);
  Sequence InB = sequence(OfB.Next[At], Meeting, OfB, P, OfA, Names, HasRoots, &Regions[At]);
  if (InA.isEmpty() || InB.isEmpty()) return Verdict::NotApart;
  std::optional<bool> HaveCommon = Sequence::haveCommon(InA, InB);
  if (!HaveCommon) return Verdict::Unsure;
  if (*HaveCommon) {
    bool IsSilentA = InA.isSilent(), IsSilentB = InB.isSilent();
    if (IsSilentA && IsSilentB) return Verdict::NotApart;
    if (!IsSilentA && !IsSilentB) {
      if (isInformed(Regions[At], OfA) || isInformed(Regions[At], OfB)) return Verdict::Unsure;
      bool AreAllA, AreAllB;
      auto Key = [](const std::vector<Word> &Words) {
        std::set<std::vector<unsigned>> Found;
        for (const Word &W : Words) {
          std::vector<unsigned> Names;
          for (const Letter &L : W) Names.push_back(L.Name);
          Found.insert(std::move(Names));
        }
        return Found;
      };
      auto WordsOfA = Key(InA.words(MostWords, AreAllA)), WordsOfB = Key(InB.words(MostWords, AreAllB));
      if (!AreAllA || !AreAllB || WordsOfA == WordsOfB || (WordsOfA.size() > 1 && WordsOfB.size() > 1))
        return Verdict::Unsure;
    }
  }
  if (mayEndFirst(At, P, OfA, OfB) || mayEndFirst(At, P, OfB, OfA)) return Verdict::NotApart;
  if (mayBeMadeGood(At, P, OfA, OfB, HasRoots)) return Verdict::Fit;
  Apart &First = Found[{At, P.Comm}];
  if (!First.At) {
    First = {P, A, B, Ways.block(At)->getTerminator(), OfA.Why[At], {}, {}};
    if (OfB.Why[At].IsLocal || !OfA.Why[At].isDifferent()) First.Why = OfB.Why[At];
    bool IsWhole;
    First.InA = InA.words(MostWords, IsWhole), First.InB = InB.words(MostWords, IsWhole);
  }
  return Verdict::Differ;
}

// Can two ranks go different ways? What one of them finds out by itself is compared with a number of the other.
static bool areApart(const RankValue &A, const RankValue &B) {
  if (A.IsLocal || B.IsLocal) {
    const RankValue &Other = A.IsLocal ? B : A;
    return !Other.IsLocal && Other.What == RankValue::Number && !Other.IsAssumed && !Other.Loop;
  }
  return A.isDifferent() || B.isDifferent();
}

// The worst of all pairs.
Verdict Search::compareAt(unsigned At, const Process &P, const std::vector<Choices> &All) {
  Verdict Worst = Verdict::NotApart;
  for (int A = 0; A < P.Size; ++A)
    for (int B = A + 1; B < P.Size; ++B)
      if (areApart(All[size_t(A)].Why[At], All[size_t(B)].Why[At])) {
        Worst = std::max(Worst, compare(At, P, A, B, All[size_t(A)], All[size_t(B)]));
        if (Worst == Verdict::Differ) return Worst;
      }
  return Worst;
}

Verdict Search::verdict(unsigned At, CommKey Comm, int Size) {
  auto [Place, IsNew] = Verdicts.try_emplace({At, {Comm, Size}}, Verdict::NotApart);
  if (!IsNew) return Place->second;
  Verdict Worst = Verdict::NotApart;
  AreNumbersMet = areNumbersMet(At, {Comm, 0, Size, 0});
  for (int Round = 0; Round < Rounds && Worst != Verdict::Differ; ++Round) {
    Process P{Comm, 0, Size, Round};
    Worst = std::max(Worst, compareAt(At, P, choicesOf(P)));
    if (!Values.hasSymbols()) break;
  }
  return Place->second = Worst;
}
