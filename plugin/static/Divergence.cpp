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
#include "static/Divergence.h"
#include "static/Paths.h"
#include "static/Sequence.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

namespace {

constexpr unsigned MostBlocks = 2500, MostWords = 40, MostEvents = 300;

struct Event {
  const CallBase *Call;
  const MpiFunction *Function;
  const Value *Handle; // communicator, window or file; null: the world
};

/// What one process does at the end of each block.
struct Choices {
  std::vector<unsigned> Next; // the block it goes to, or NoBlock: any
  BitVector Reached;          // blocks that it can come to
  BitVector Ends;             // blocks in loops in which it may end the program
  std::vector<RankValue> Why;
  DenseMap<const CallBase *, RankValue> Roots, Colors;
};

// Of two processes at a condition; the worst last.
enum class Verdict { NotApart, Fit, Unsure, Differ };

class Search {
public:
  Search(const Canonical &Code, RankValues &Values, const Function &F, Warnings &Out)
      : Code(Code), Values(Values), F(F), Out(Out), Ways(F) {}
  void run();

private:
  const Canonical &Code;
  RankValues &Values;
  const Function &F;
  Warnings &Out;
  Paths Ways;
  std::vector<SmallVector<Event, 1>> Events; // of each block
  BitVector HasUnknown;                      // blocks with a call that may reach MPI
  SmallVector<unsigned, 16> Deciders;        // blocks with a condition
  DenseMap<unsigned, BitVector> Regions;
  SmallPtrSet<const CallBase *, 8> Said;
  // Where two processes take ways that do not fit: the first such pair.
  struct Apart {
    Process P{};
    int A = 0, B = 0;
    const Instruction *At = nullptr;
    RankValue Why;
    std::vector<Word> InA, InB;
  };
  std::map<std::pair<unsigned, CommKey>, Apart> Found;
  SmallVector<unsigned, 16> Wanted; // conditions with calls on their ways, the inner ones first
  std::map<std::pair<unsigned, std::pair<CommKey, int>>, Verdict> Verdicts;
  std::map<std::pair<CommKey, std::pair<int, int>>, std::vector<Choices>> Known; // of all ranks
  CommKey World = nullptr;
  CommKey Only = nullptr; // only calls of this communicator are compared now; null: all

  bool collect();
  Choices choose(const Process &P);
  bool mayEnd(unsigned At, const Choices &C) const;
  void reach(Choices &C) const;
  const std::vector<Choices> &choicesOf(Process P);
  Verdict compareAt(unsigned At, const Process &P, const std::vector<Choices> &All);
  Verdict verdict(unsigned At, CommKey Comm, int Size);
  void decide(unsigned At, CommKey Comm);
  CommKey commOf(const Event &E) { return E.Handle ? Values.comm(E.Handle) : World; }
  Verdict compareOrdered(unsigned At, const Process &P, int A, int B, const Choices &OfA, const Choices &OfB);
  Verdict compare(unsigned At, const Process &P, int A, int B, const Choices &OfA, const Choices &OfB);
  bool takesPart(const Event &E, const Process &P, const Choices &A, const Choices &B);
  std::string nameOf(const Event &E, const Choices &C, bool HasRoots);
  Sequence sequence(unsigned From, unsigned To, const Choices &C, const Process &P, const Choices &Other,
                    std::map<std::string, unsigned> &Names, bool HasRoots, const BitVector *Region);
  bool isFixed(unsigned At, const Choices &C, const BitVector *Region) const;
  bool isMadeWithin(unsigned At, const BitVector &Region) const;
  bool isInformed(const BitVector &Region, const Choices &C) const;
  bool areRootsKnown(const Choices &A, const Choices &B) const;
  bool mayBeMadeGood(unsigned At, const Process &P, const Choices &A, const Choices &B, bool HasRoots);
  void report(const Apart &Found);
};

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
    // What each rank has of its own may send any of them any way.
    if (!Next && Why.What == RankValue::Own)
      Next = Ways.block(At)->getTerminator()->getSuccessor(unsigned(P.Rank) %
                                                           Ways.block(At)->getTerminator()->getNumSuccessors());
    if (Next) C.Next[At] = Ways.indexOf(Next);
  }
  for (const auto &Block : Events)
    for (const Event &E : Block) {
      if (const Value *Root = argument(*E.Call, *E.Function, "root")) C.Roots[E.Call] = Values.of(Root);
      const CallBase *Split = E.Handle ? Values.split(E.Handle) : nullptr;
      if (Split) C.Colors[E.Call] = Values.of(argument(*Split, *findMpi(*Split), "color"));
    }
  reach(C);
  return C;
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

// A process that ends in a loop comes to what is behind only if the loop runs zero times, which is not known.
void Search::reach(Choices &C) const {
  C.Reached.resize(Ways.size());
  C.Ends.resize(Ways.size());
  BitVector Behind(Ways.size());
  SmallVector<unsigned, 32> Work{0};
  while (!Work.empty()) {
    unsigned At = Work.pop_back_val();
    if (C.Reached.test(At)) continue;
    C.Reached.set(At);
    if (mayEnd(At, C)) {
      BitVector Later = Ways.behind(At);
      if (C.Why[At].Loop || Later.test(At)) {
        C.Ends.set(At);
        Behind |= Later;
      }
      continue;
    }
    // Numbers that are not known may send all ranks any way; ranks that differ in them differ as computed.
    bool IsOpen = !isFixed(At, C, nullptr) || (C.Why[At].IsAssumed && !C.Why[At].isDifferent());
    for (unsigned Next : Ways.next(At))
      if (IsOpen || C.Next[At] == Next) Work.push_back(Next);
  }
  C.Reached.reset(Behind);
}

const std::vector<Choices> &Search::choicesOf(Process P) {
  std::vector<Choices> &All = Known[{P.Comm, {P.Size, P.Round}}];
  if (All.empty())
    for (P.Rank = 0; P.Rank < P.Size; ++P.Rank) All.push_back(choose(P));
  return All;
}

// Are both members of the event's communicator? A part that MPI_Comm_split made has those of one color.
bool Search::takesPart(const Event &E, const Process &P, const Choices &A, const Choices &B) {
  if (!E.Handle) return true;
  CommKey Ranks = Values.ranksOf(E.Handle);
  if (Ranks == P.Comm || Ranks == World) return true;
  const CallBase *Split = Values.split(E.Handle);
  if (!Split || Values.ranksOf(argument(*Split, *findMpi(*Split), "comm")) != P.Comm) return false;
  RankValue One = A.Colors.lookup(E.Call), Other = B.Colors.lookup(E.Call);
  return One.What == RankValue::Number && Other.What == RankValue::Number && One.Value == Other.Value;
}

std::string Search::nameOf(const Event &E, const Choices &C, bool HasRoots) {
  std::string Name = std::to_string(E.Function->Number);
  Name += " " + std::to_string(reinterpret_cast<uintptr_t>(commOf(E)));
  if (HasRoots)
    if (auto Root = C.Roots.find(E.Call); Root != C.Roots.end()) Name += " root " + std::to_string(Root->second.Value);
  if (const Value *Operation = argument(*E.Call, *E.Function, "op"); Operation && isa<GlobalVariable>(Operation))
    Name += (" op " + Operation->getName()).str();
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
  if (To != NoBlock) Begin[To] = End;
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
    if (Ways.isEnd(Block) && To == NoBlock) Made.addStep(State, End);
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

// Does a part of the way depend on something that came to be within it, behind a call that brings data?
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
    return Ways.next(At).size() > 1 && !isFixed(At, C, &Region) && isMadeWithin(At, Region);
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

// Calls of different communicators may come in any order if they do not block (5.12).
Verdict Search::compare(unsigned At, const Process &P, int A, int B, const Choices &OfA, const Choices &OfB) {
  unsigned FirstOfA = OfA.Next[At], FirstOfB = OfB.Next[At];
  if (FirstOfA == FirstOfB || !is_contained(Ways.next(At), FirstOfA) || !is_contained(Ways.next(At), FirstOfB) ||
      !OfA.Reached.test(At) || !OfB.Reached.test(At) || OfA.Ends.anyCommon(Regions[At]) ||
      OfB.Ends.anyCommon(Regions[At]))
    return Verdict::NotApart;
  bool IsAnyOrder = false;
  SmallVector<CommKey, 4> Comms;
  for (unsigned Block : Regions[At].set_bits())
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
  if (mayBeMadeGood(At, P, OfA, OfB, HasRoots)) return Verdict::Fit;
  Apart &First = Found[{At, P.Comm}];
  if (!First.At) {
    First = {P, A, B, Ways.block(At)->getTerminator(), OfA.Why[At].isDifferent() ? OfA.Why[At] : OfB.Why[At], {}, {}};
    bool IsWhole;
    First.InA = InA.words(MostWords, IsWhole), First.InB = InB.words(MostWords, IsWhole);
  }
  return Verdict::Differ;
}

// The worst of all pairs.
Verdict Search::compareAt(unsigned At, const Process &P, const std::vector<Choices> &All) {
  Verdict Worst = Verdict::NotApart;
  for (int A = 0; A < P.Size; ++A)
    for (int B = A + 1; B < P.Size; ++B)
      if (All[size_t(A)].Why[At].isDifferent() || All[size_t(B)].Why[At].isDifferent()) {
        Worst = std::max(Worst, compare(At, P, A, B, All[size_t(A)], All[size_t(B)]));
        if (Worst == Verdict::Differ) return Worst;
      }
  return Worst;
}

Verdict Search::verdict(unsigned At, CommKey Comm, int Size) {
  auto [Place, IsNew] = Verdicts.try_emplace({At, {Comm, Size}}, Verdict::NotApart);
  if (!IsNew) return Place->second;
  Verdict Worst = Verdict::NotApart;
  for (int Round = 0; Round < Rounds && Worst != Verdict::Differ; ++Round) {
    Process P{Comm, 0, Size, Round};
    Worst = std::max(Worst, compareAt(At, P, choicesOf(P)));
    if (!Values.hasSymbols()) break;
  }
  return Place->second = Worst;
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
  if (!Here) return;
  if (!Said.insert(Here).second) return;
  auto Name = [](const CallBase &Call) { return findMpi(Call)->Name.str(); };
  bool IsSame = There && Name(*There) == Name(*Here);
  Warning W{"collective.divergence", Here, Name(*Here) + " is not called by all ranks that must call it together", {}};
  if (There)
    W.Text = Name(*Here) + " is called by some ranks where others call " +
             (IsSame ? "it with another communicator, root or operation" : Name(*There));
  if (There) W.Notes.push_back({There, "the others call " + Name(*There) + " here"});
  std::string Size = std::to_string(P.Size);
  if (Why.What == RankValue::Own) W.Notes.push_back({Condition, "this condition can be another on each rank"});
  else
    W.Notes.push_back({Condition, "ranks differ in this condition: of " + Size + " ranks, rank " +
                                      std::to_string(First) + " goes there and rank " + std::to_string(Second) +
                                      " does not"});
  if (const auto *Source = dyn_cast_or_null<Instruction>(Why.Source))
    W.Notes.push_back({Source, "because of what this call gives"});
  Out.add(W);
}

void Search::run() {
  if (Ways.size() > MostBlocks || !collect()) return;
  for (unsigned At = 0; At < Ways.size(); ++At) {
    const Instruction *End = Ways.block(At)->getTerminator();
    if (!isa<BranchInst>(End) && !isa<SwitchInst>(End)) continue;
    if (End->getNumSuccessors() > 1) Deciders.push_back(At); // also where one way ends the program
    if (Ways.next(At).size() > 1) Regions[At] = Ways.between(At);
  }
  // Where no call is to be compared, no value is to be computed.
  for (unsigned At : Deciders) {
    if (Regions[At].empty()) continue;
    bool HasEvent = any_of(Regions[At].set_bits(), [&](unsigned Block) { return !Events[Block].empty(); });
    bool IsUnknown = any_of(Regions[At].set_bits(), [&](unsigned Block) { return HasUnknown.test(Block); });
    if (HasEvent && !IsUnknown) Wanted.push_back(At);
  }
  if (Wanted.empty()) return;
  // From the inside out: the condition that is nearest to a call decides.
  stable_sort(Wanted, [&](unsigned A, unsigned B) { return Regions[A].count() < Regions[B].count(); });
  for (const GlobalVariable &Variable : F.getParent()->globals())
    if (isWorld(&Variable)) World = &Variable;
  SmallVector<CommKey, 4> Comms;
  for (const auto &Block : Events)
    for (const Event &E : Block)
      if (CommKey Ranks = E.Handle ? Values.ranksOf(E.Handle) : World; Ranks && !is_contained(Comms, Ranks))
        Comms.push_back(Ranks);
  for (CommKey Comm : Comms)
    for (unsigned At : Wanted) decide(At, Comm);
}

} // namespace

void mck::statics::findDivergence(const Canonical &Code, const Memory &Stored, Warnings &Out) {
  if (!Out.isOn("collective.divergence")) return;
  RankValues Values(Code, Stored);
  for (Function *F : Code.roots()) Search(Code, Values, *F, Out).run();
}
