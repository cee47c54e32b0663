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

static std::vector<Trace> executeTogether(FunctionView &View, RankValues &Values, CommKey World, int Size, int Round) {
  Exchange Others(Size);
  std::vector<std::unique_ptr<Execution>> All;
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
  std::vector<Trace> Traces;
  for (const auto &One : All) Traces.push_back(One->finish());
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
  if (is_contained(IsOver, false))
    for (const auto &[Rank, Call, Is] : Others.explain(HasSend, HasReceive))
      Traces[size_t(Rank)].Faults.try_emplace(Call, Is).first->second.IsOfWaiting = true;
  return Traces;
}

std::vector<Trace> mck::statics::executeProcesses(FunctionView &View, RankValues &Values, CommKey Group, int Size,
                                                  int Round) {
  if (isCertainRound(Round) && Group == findWorld(*View.F.getParent()))
    return executeTogether(View, Values, Group, Size, Round);
  std::vector<Trace> All;
  for (int Rank = 0; Rank < Size && (All.empty() || !All.back().IsEnded); ++Rank)
    All.push_back(Execution(View, Values, {Group, Rank, Size, Round}).run());
  return All;
}
