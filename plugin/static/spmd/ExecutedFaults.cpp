// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes main for all ranks, and looks at what is wrong with their calls (ExecutedFaults.h). A call is wrong if, with
// each number of ranks and each value of unknown numbers with which a process comes to it, some process is wrong there;
// or in a run without arguments, if all that decides is known there. So `1 - rank` is right: it is a program for two. A
// rank that is the same with each number of ranks is one of a larger world.
#include "static/spmd/ExecutedFaults.h"
#include "static/spmd/Execution.h"

using namespace llvm;
using namespace mck::statics;

namespace {

// Of all calls that were made; with true: what is wrong with its message, if that is known.
using Question = std::pair<const CallBase *, bool>;
using Faults = std::map<Question, std::optional<Fault>>;
struct Verdict {
  bool IsAlways = true, IsCertain = true; // Certain: in a run without arguments
  std::set<int> Sizes, Certain;           // with a fault
  std::set<std::optional<int64_t>> Numbers;
  std::optional<Fault> Shown;
};

class FaultSearch {
public:
  FaultSearch(FunctionView &View, RankValues &Values, CommKey World) : View(View), Values(Values), World(World) {}
  void run();
  void say(Warnings &Out) const;

private:
  FunctionView &View;
  RankValues &Values;
  CommKey World;
  std::map<Question, Verdict> All;
  std::set<int> Possible; // numbers of ranks that the program is for
  bool execute(int Size, int Round);
  void add(const Faults &Here, int Size, int Round);
};

// The messages to one process on one communicator.
struct Inbox {
  std::map<std::pair<int64_t, int64_t>, std::vector<const CallBase *>> Sent, Received; // by source and tag
  std::vector<const CallBase *> AllSent, AllReceived;
  bool HasWildcard = false;
  bool hasPair() const;
};

bool Inbox::hasPair() const {
  auto Fits = [](int64_t Wanted, int64_t Is) { return Wanted < 0 || Wanted == Is; };
  for (const auto &[To, Calls] : Received)
    for (const auto &[From, Others] : Sent)
      if (Fits(To.first, From.first) && Fits(To.second, From.second)) return true;
  return false;
}

Fault lonely(const CallBase &Call, bool IsSend, int Of, int64_t Peer, int Size, size_t Sent, size_t Received) {
  std::string Name = findMpi(Call)->Name.str(), Ranks = "of " + std::to_string(Size) + " ranks, ";
  std::string From = Peer < 0 ? "" : " from rank " + std::to_string(Peer);
  std::string Counts = "rank " + std::to_string(Of) + " receives " + std::to_string(Received) + " such message" +
                       (Received == 1 ? "" : "s") + From + ", and " + std::to_string(Sent) +
                       (Sent == 1 ? " is sent" : " are sent") + " to it";
  if (IsSend) return {"message.lost", Name + ": nobody receives this message: " + Ranks + Counts};
  return {"message.unmatched-receive", Name + ": nobody sends this message: " + Ranks + Counts};
}

// What one process receives beyond what is sent to it, or the other way round. Which of several calls is the wrong one
// nobody knows: it is the last one.
void compare(const Inbox &In, int Of, int Size, Faults &Here) {
  auto Tell = [&](const std::vector<const CallBase *> &More, bool IsSend, int64_t Peer, size_t Sent, size_t Received) {
    auto &Wrong = Here[{More.back(), true}];
    if (!Wrong) Wrong = lonely(*More.back(), IsSend, Of, Peer, Size, Sent, Received);
  };
  bool IsTold = false;
  for (const auto &[Key, Received] : In.Received) {
    auto Found = In.Sent.find(Key);
    size_t Sent = Found == In.Sent.end() ? 0 : Found->second.size();
    bool IsExact = Key.first >= 0 && Key.second >= 0;
    if (IsExact && Received.size() > Sent) Tell(Received, false, Key.first, Sent, Received.size()), IsTold = true;
  }
  for (const auto &[Key, Sent] : In.Sent) {
    auto Found = In.Received.find(Key);
    size_t Received = Found == In.Received.end() ? 0 : Found->second.size();
    if (!In.HasWildcard && Sent.size() > Received) Tell(Sent, true, Key.first, Sent.size(), Received), IsTold = true;
  }
  size_t Sent = In.AllSent.size(), Received = In.AllReceived.size();
  if (IsTold || Sent == Received) return;
  Tell(Sent > Received ? In.AllSent : In.AllReceived, Sent > Received, -1, Sent, Received);
}

// Only if all processes are known to their end, no call of them is wrong by itself, and some message has a partner:
// others may belong to another program.
void compareMessages(const std::vector<Trace> &All, Faults &Here) {
  if (any_of(Here, [](const auto &One) { return One.second.has_value(); })) return;
  std::map<std::pair<CommKey, int>, Inbox> Boxes;
  for (int Rank = 0; Rank < int(All.size()); ++Rank) {
    const Trace &Of = All[size_t(Rank)];
    if (!Of.IsWhole || !Of.AreMessagesKnown) return;
    for (const Message &M : Of.Messages) {
      if (M.IsSend && (M.Peer < 0 || M.Peer >= int64_t(All.size()))) return;
      Inbox &In = Boxes[{M.Comm, M.IsSend ? int(M.Peer) : Rank}];
      std::pair<int64_t, int64_t> Key{M.IsSend ? Rank : M.Peer, M.Tag};
      (M.IsSend ? In.Sent : In.Received)[Key].push_back(M.Call);
      (M.IsSend ? In.AllSent : In.AllReceived).push_back(M.Call);
      In.HasWildcard |= M.Peer < 0 || M.Tag < 0;
    }
  }
  if (none_of(Boxes, [](const auto &One) { return One.second.hasPair(); })) return;
  for (const Trace &Of : All)
    for (const Message &M : Of.Messages) Here.try_emplace({M.Call, true});
  for (const auto &[Key, In] : Boxes) compare(In, Key.second, int(All.size()), Here);
}

void FaultSearch::add(const Faults &Here, int Size, int Round) {
  bool IsDefault = Round == NoArguments;
  for (const auto &[What, Wrong] : Here) {
    Verdict &V = All[What];
    // One process has one block in any case, and is its own neighbor.
    bool IsOfOthers = V.Shown && (V.Shown->Kind.starts_with("arg.memory") || V.Shown->Kind.starts_with("rma."));
    if (Size == 1 && IsOfOthers && !View.rankCalls().empty()) continue;
    (IsDefault ? V.IsCertain : V.IsAlways) &= Wrong.has_value();
    if (!Wrong) continue;
    V.Numbers.insert(Wrong->Number);
    (IsDefault ? V.Certain : V.Sizes).insert(Size);
    if (!V.Shown || V.Shown->Kind != Wrong->Kind) V.Shown = Wrong;
  }
}

// Has something been wrong?
bool FaultSearch::execute(int Size, int Round) {
  std::vector<Trace> Traces;
  Faults Here;
  for (int Rank = 0; Rank < Size; ++Rank) {
    Traces.push_back(Execution(View, Values, {World, Rank, Size, Round}).run());
    if (Traces.back().IsEnded) return false;
    for (const auto &[Call, Wrong] : Traces.back().Calls)
      if (auto &First = Here.try_emplace({Call, false}).first->second; !First) First = Wrong;
  }
  compareMessages(Traces, Here);
  Possible.insert(Size);
  add(Here, Size, Round);
  return any_of(Here, [](const auto &One) { return One.second.has_value(); });
}

// Most programs have nothing that is wrong: a short look first.
void FaultSearch::run() {
  bool IsWrong = false;
  for (int Size = SmallestSize; !IsWrong && Size <= SmallestSize + 1; ++Size) {
    IsWrong = execute(Size, 0);
    if (!IsWrong && Values.hasSymbols()) IsWrong = execute(Size, NoArguments);
  }
  if (!IsWrong) return;
  All.clear();
  for (int Size : {2, 3, 4, 5, 1})
    for (int Round = Values.hasSymbols() ? NoArguments : 0; Round < (Values.hasSymbols() ? Rounds : 1); ++Round)
      execute(Size, Round);
}

void FaultSearch::say(Warnings &Out) const {
  size_t Enough = std::min(size_t(2), Possible.size());
  for (const auto &[What, V] : All) {
    bool IsWrong = (V.IsAlways && V.Sizes.size() >= Enough) || (V.IsCertain && V.Certain.size() >= Enough);
    bool IsLarger = V.Numbers.size() == 1 && V.Numbers.begin()->has_value();
    if (IsWrong && V.Shown && !IsLarger) Out.add({V.Shown->Kind, What.first, V.Shown->Text, {}});
  }
}

} // namespace

void mck::statics::findExecutedFaults(const Canonical &Code, const Memory &Stored, Warnings &Out) {
  CommKey World = nullptr;
  for (const GlobalVariable &Variable : Code.module().globals())
    if (isWorld(&Variable)) World = &Variable;
  for (Function *F : Code.roots()) {
    if (!World || F->getName() != "main") continue;
    FunctionView View(Code, Stored, *F);
    RankValues Values(Code, Stored);
    FaultSearch Search(View, Values, World);
    Search.run();
    Search.say(Out);
  }
}
