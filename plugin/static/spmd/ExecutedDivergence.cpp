// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the collective calls of all ranks (ExecutedDivergence.h). A function is wrong if some two ranks differ with
// each number of ranks and each value of unknown numbers.
#include "static/spmd/ExecutedDivergence.h"
#include "static/spmd/Execution.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

namespace {

// Here: what one calls, or null: nothing differs. There: what the other calls in its place.
struct Difference {
  const Collective *Here = nullptr, *There = nullptr;
  int First = 0, Second = 0; // ranks
};

class SequenceSearch {
public:
  SequenceSearch(FunctionView &View, RankValues &Values, CommKey World) : View(View), Values(Values), World(World) {}
  /// Some two ranks differ in all executions.
  bool isWrong();
  void say(Warnings &Out) const;

private:
  FunctionView &View;
  RankValues &Values;
  CommKey World;
  std::vector<Trace> Shown; // of the first execution, with what differs in it
  Difference Found;
  int ShownRound = 0;
  Difference compare(const std::vector<Trace> &All) const;
  bool differs(int Size, int Round);
  bool differs(int Round); // with each number of ranks
};

// Nonblocking calls may be in any order with those of other communicators (MPI-3.1 5.12).
bool isAnyOrder(const std::vector<Trace> &All) {
  return any_of(All, [](const Trace &T) {
    return any_of(T.Collectives, [](const Collective &C) { return findMpi(*C.Call)->row().has_request; });
  });
}

bool fits(const Collective &A, const Collective &B) {
  if (findMpi(*A.Call)->Number != findMpi(*B.Call)->Number || A.Comm != B.Comm) return false;
  if (A.Root && B.Root && *A.Root != *B.Root) return false;
  return !A.Operation || !B.Operation || A.Operation == B.Operation;
}

// The calls of communicators that both are members of; of one of them only, if it is not null.
std::vector<const Collective *> common(const Trace &Of, const Trace &With, CommKey Only) {
  std::vector<const Collective *> Calls;
  for (const Collective &C : Of.Collectives) {
    bool IsMember = !C.Split ||
                    any_of(With.Colors, [&](const auto &One) { return One.first == C.Split && One.second == C.Color; });
    if (IsMember && (!Only || C.Comm == Only)) Calls.push_back(&C);
  }
  return Calls;
}

Difference SequenceSearch::compare(const std::vector<Trace> &All) const {
  std::set<CommKey> Comms;
  if (isAnyOrder(All)) {
    for (const Trace &T : All)
      for (const Collective &C : T.Collectives) Comms.insert(C.Comm);
  } else {
    Comms.insert(nullptr);
  }
  for (int A = 0; A < int(All.size()); ++A)
    for (int B = A + 1; B < int(All.size()); ++B)
      for (CommKey Only : Comms) {
        auto OfA = common(All[size_t(A)], All[size_t(B)], Only), OfB = common(All[size_t(B)], All[size_t(A)], Only);
        size_t I = 0;
        while (I < OfA.size() && I < OfB.size() && fits(*OfA[I], *OfB[I])) ++I;
        if (I < OfA.size()) return Difference{OfA[I], I < OfB.size() ? OfB[I] : nullptr, A, B};
        if (I < OfB.size()) return Difference{OfB[I], nullptr, B, A};
      }
  return {};
}

bool SequenceSearch::differs(int Size, int Round) {
  std::vector<Trace> All;
  for (int Rank = 0; Rank < Size; ++Rank) {
    All.push_back(Execution(View, Values, {World, Rank, Size, Round}).run());
    if (All.back().IsEnded || !All.back().IsWhole) return false;
  }
  Difference Is = compare(All);
  if (Is.Here && !Found.Here) {
    Found = Is;
    Shown = std::move(All);
  }
  return Is.Here;
}

bool SequenceSearch::differs(int Round) {
  Found = {};
  for (int Size = SmallestSize; Size <= LargestSize; ++Size)
    if (!differs(Size, Round)) return false;
  return true;
}

// The first execution of right functions has no difference.
bool SequenceSearch::isWrong() {
  bool IsWrong = differs(0);
  for (int Round = 1; IsWrong && Values.hasSymbols() && Round < Rounds; ++Round) IsWrong = differs(Round);
  bool HasDefaults = Values.hasSymbols() && View.F.getName() == "main";
  for (int Round = NoArguments; HasDefaults && !IsWrong && Round >= Values.lastCertainRound(); --Round) {
    IsWrong = differs(Round);
    ShownRound = Round;
  }
  return IsWrong;
}

void SequenceSearch::say(Warnings &Out) const {
  auto Name = [](const Collective &C) { return findMpi(*C.Call)->Name.str(); };
  auto [Here, There, First, Second] = Found;
  // The mistake is the other call.
  if (There && findMpi(*Here->Call)->Number == MCK_FN_MPI_Finalize) std::swap(Here, There), std::swap(First, Second);
  Warning W{"collective.divergence", Here->Call, "", {}};
  std::string Ranks = "of " + std::to_string(Shown.size()) + " ranks, rank " + std::to_string(First) +
                      " calls it and rank " + std::to_string(Second);
  if (!There) {
    W.Text = Name(*Here) + " is not called by all ranks that must call it together: " + Ranks + " does not";
  } else {
    bool IsSame = Name(*There) == Name(*Here);
    W.Text = Name(*Here) + " is called by some ranks where others call " +
             (IsSame ? "it with another communicator, root or operation" : Name(*There));
    W.Notes.push_back({There->Call, Ranks + " calls " + Name(*There) + " here instead"});
  }
  (W.Notes.empty() ? W.Text : W.Notes.front().Text) += isCertainRound(ShownRound) ? Values.lineOf(ShownRound).describe()
                                                                                  : "";
  for (const CallBase *Source : View.rankCalls())
    if (findMpi(*Source)->row().tells == MCK_STD_TELLS_RANK)
      W.Notes.push_back({Source, "because of what this call gives"});
  Out.add(W);
}

bool hasCollectives(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && Mpi->isCollective();
  });
}

bool asksForRank(const FunctionView &View) {
  return any_of(View.rankCalls(),
                [](const CallBase *Call) { return findMpi(*Call)->row().tells == MCK_STD_TELLS_RANK; });
}

} // namespace

void mck::statics::findExecutedDivergence(const Canonical &Code, const Memory &Stored,
                                          const std::set<const Function *> &Said, Warnings &Out) {
  if (!Out.isOn("collective.divergence")) return;
  CommKey World = findWorld(Code.module());
  for (Function *F : Code.roots()) {
    if (!World || Said.count(F) || !hasCollectives(*F)) continue;
    FunctionView View(Code, Stored, *F);
    if (!asksForRank(View)) continue;
    RankValues Values(Code, Stored);
    Values.lookForOptions(*F);
    SequenceSearch Search(View, Values, World);
    if (Search.isWrong()) Search.say(Out);
  }
}
