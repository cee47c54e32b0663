// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets processes go on in turn, as far as each one can (Processes.h).
#include "static/spmd/Processes.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

// Something is wrong that explains why others wait, or do other things.
static bool isWrong(const std::vector<Trace> &All) {
  return any_of(All, [](const Trace &One) { return !One.Faults.empty(); });
}

// A call that may send (receive) a message with this tag; -1: any.
static bool hasCall(const Function &F, StringRef Role, int64_t Tag) {
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    const Value *Sent = Mpi ? argument(*Call, *Mpi, Role) : nullptr;
    const auto *Is = dyn_cast_or_null<ConstantInt>(Sent);
    return Sent && (!Is || Tag < 0 || Is->isNegative() || Is->getSExtValue() == Tag);
  });
}

// Until all are over, or nobody can go on. False: some wait.
static bool executeIn(Exchange &Others, FunctionView &View, RankValues &Values, CommKey World, int Round,
                      std::vector<Trace> &Traces) {
  std::vector<std::unique_ptr<Execution>> All;
  int Size = Others.size();
  for (int Rank = 0; Rank < Size; ++Rank)
    All.push_back(std::make_unique<Execution>(View, Values, Process{World, Rank, Size, Round}, &Others));
  std::vector<bool> IsOver(All.size());
  bool HasMoved = true;
  while (HasMoved) {
    HasMoved = false;
    for (size_t Rank = 0; Rank < All.size(); ++Rank) {
      if (IsOver[Rank] || !Others.isReady(int(Rank))) continue;
      IsOver[Rank] = All[Rank]->advance();
      HasMoved = true;
    }
    HasMoved = HasMoved || Others.refuse();
  }
  for (const auto &One : All) Traces.push_back(One->finish());
  return !is_contained(IsOver, false);
}

static std::vector<Trace> executeTogether(FunctionView &View, RankValues &Values, CommKey World, int Size, int Round) {
  Exchange Others(Size);
  std::vector<Trace> Traces;
  bool AreOver = executeIn(Others, View, Values, World, Round, Traces);
  auto HasSend = [&](int64_t Tag) { return hasCall(View.F, "sendtag", Tag); };
  auto HasReceive = [&](int64_t Tag) { return hasCall(View.F, "recvtag", Tag); };
  if (!Others.areAllThere() || isWrong(Traces)) return Traces;
  bool AreWhole = all_of(Traces, [](const Trace &One) { return One.IsWhole; });
  for (const Exchange::Letter *L : AreWhole ? Others.untaken() : std::vector<const Exchange::Letter *>())
    if (HasReceive(L->Tag))
      Traces[size_t(L->From)].Faults.try_emplace(
          L->Call,
          Fault{"message.lost", (findMpi(*L->Call)->Name + ": nobody receives this message: of " + Twine(Size) +
                                 " ranks, rank " + Twine(L->From) + " sends it to rank " + Twine(L->To))
                                    .str()});
  if (!AreOver)
    for (const auto &[Rank, Call, Is] : Others.explain(HasSend, HasReceive))
      Traces[size_t(Rank)].Faults.try_emplace(Call, Is).first->second.IsOfWaiting = true;
  return Traces;
}

// Without buffers (MPI-3.1 3.5). What stands still is unsafe if all is right with them. Tests may fail here that did
// not there: who asks does something else then.
static std::vector<Trace> executeUnbuffered(FunctionView &View, RankValues &Values, CommKey World, int Size,
                                            int Round) {
  Exchange Others(Size, /*IsBuffering=*/false), Buffering(Size);
  std::vector<Trace> Found, Right;
  bool AreOver = executeIn(Others, View, Values, World, Round, Found);
  bool IsKnown = Others.areAllThere() && !Others.hasRefused() && !isWrong(Found);
  for (Trace &One : Found) One.Faults.clear(), One.Unfinished.clear(), One.Leaks.clear(); // said of the other run
  auto Stuck = !AreOver && IsKnown ? Others.explainCycle() : std::nullopt;
  if (!Stuck) return Found;
  bool IsRight = executeIn(Buffering, View, Values, World, Round, Right) && Buffering.areAllThere() &&
                 !isWrong(Right) && Buffering.untaken().empty();
  for (size_t Rank = 0; Rank < Found.size(); ++Rank) Found[Rank].Steps += Right[Rank].Steps;
  if (IsRight) Found[size_t(Stuck->Rank)].Faults.try_emplace(Stuck->Call, Stuck->Is).first->second.IsOfWaiting = true;
  return Found;
}

std::vector<Trace> mck::statics::executeProcesses(FunctionView &View, RankValues &Values, CommKey Group, int Size,
                                                  int Round, bool IsBuffering) {
  if (isCertainRound(Round) && Group == findWorld(*View.F.getParent()))
    return IsBuffering ? executeTogether(View, Values, Group, Size, Round)
                       : executeUnbuffered(View, Values, Group, Size, Round);
  std::vector<Trace> All;
  for (int Rank = 0; Rank < Size && (All.empty() || !All.back().IsEnded); ++Rank)
    All.push_back(Execution(View, Values, {Group, Rank, Size, Round}).run());
  return All;
}
