// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the walks (StateChecks.h). The first one of an object takes every condition in both ways. Only if something is
// wrong on one of these paths, it is looked at again: for each rank of small numbers of ranks, whose conditions on the
// rank are known, and without paths on which conditions that may belong together go different ways.
#include "static/state/StateChecks.h"
#include "static/state/PendingOperation.h"
#include "static/state/HandleLife.h"
#include "static/state/ProcessLife.h"
#include "static/state/WindowEpochs.h"
#include "llvm/IR/InstIterator.h"
#include <functional>

using namespace llvm;
using namespace mck::statics;

namespace {

constexpr unsigned FewestSizes = 2; // a program may be for two ranks, or for more than two

using Maker = std::function<std::unique_ptr<CandidateMachine>()>;

class FunctionStates {
public:
  FunctionStates(FunctionView &View, RankValues &Values, ArrayRef<MissingCall> Missing, Warnings &Out)
      : View(View), Values(Values), Missing(Missing), Out(Out) {}
  void run();

private:
  FunctionView &View;
  RankValues &Values;
  ArrayRef<MissingCall> Missing;
  Warnings &Out;
  void check(const Instruction *Start, const Maker &Make);
  Candidates confirm(const Instruction *Start, const Maker &Make);
  void dropConsequences(const Instruction *Start, const Maker &Make, Candidates &All);
};

Candidates FunctionStates::confirm(const Instruction *Start, const Maker &Make) {
  if (View.rankCalls().empty()) {
    auto Object = Make();
    return PathWalk(View, *Object, nullptr).run(Start, true) ? std::move(Object->Found) : Candidates();
  }
  const CallBase *Call = View.rankCalls().front();
  for (const CallBase *Other : View.rankCalls())
    if (findMpi(*Other)->row().tells == MCK_STD_TELLS_RANK) Call = Other;
  const Value *Comm = argument(*Call, *findMpi(*Call), "comm");
  Candidates All;
  std::map<std::pair<std::string, const Instruction *>, unsigned> Sizes;
  for (int Size = SmallestSize; Comm && Size <= LargestSize; ++Size) {
    std::set<std::pair<std::string, const Instruction *>> Here;
    for (int Rank = 0; Rank < Size; ++Rank) {
      Values.set({Values.ranksOf(Comm), Rank, Size, 0});
      auto Object = Make();
      if (!PathWalk(View, *Object, &Values).run(Start, true)) return {};
      for (auto &[Key, W] : Object->Found) {
        Here.insert(Key);
        All.try_emplace(Key, W);
      }
    }
    for (const auto &Key : Here) ++Sizes[Key];
  }
  for (const auto &[Key, Count] : Sizes)
    if (Count < FewestSizes) All.erase(Key);
  return All;
}

// A fence that only some ranks call is one mistake, and it is said already: what is wrong with the object only on the
// way without that call follows from it.
void FunctionStates::dropConsequences(const Instruction *Start, const Maker &Make, Candidates &All) {
  if (!Start) return; // the end without MPI_Finalize is said, too: it has the cure
  for (const MissingCall &Call : Missing) {
    if (All.empty()) return;
    auto Object = Make();
    if (Call.Condition->getFunction() != &View.F || !Object->isEvent(*Call.Call)) continue;
    unsigned Where = View.Ways.indexOf(Call.Condition->getParent());
    if (Where == NoBlock || View.Ways.indexOf(Call.To) == NoBlock) continue;
    const BitVector &Region = View.region(Where);
    auto IsInside = [&](const Instruction *I) {
      unsigned At = I ? View.Ways.indexOf(I->getParent()) : NoBlock;
      return At != NoBlock && Region.test(At);
    };
    PathWalk Walk(View, *Object, nullptr);
    Walk.Given = &Call;
    if (IsInside(Start) || !Walk.run(Start, false)) continue;
    for (auto At = All.begin(); At != All.end();) {
      auto Same = Object->Found.find(At->first);
      if (Same == Object->Found.end() && !IsInside(At->first.second)) {
        At = All.erase(At);
        continue;
      }
      if (Same != Object->Found.end()) At->second = Same->second; // with the places of this way
      ++At;
    }
  }
}

void FunctionStates::check(const Instruction *Start, const Maker &Make) {
  auto Object = Make();
  if (!PathWalk(View, *Object, nullptr).run(Start, false) || Object->Found.empty()) return;
  Candidates All = confirm(Start, Make);
  dropConsequences(Start, Make, All);
  for (auto &[Key, W] : All) Out.add(W);
}

void FunctionStates::run() {
  if (ProcessLife::isWorth(View)) check(nullptr, [&] { return std::make_unique<ProcessLife>(View); });
  for (const Instruction &I : instructions(View.F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    if (!Mpi || !View.Tree.isReachableFromEntry(I.getParent())) continue;
    if (PendingOperation::isStart(*Mpi))
      check(Call, [&] { return std::make_unique<PendingOperation>(View, *Call, *Mpi); });
    if (HandleLife::isStart(*Call, *Mpi, View))
      check(Call, [&] { return std::make_unique<HandleLife>(View, *Call, *Mpi); });
    if (WindowEpochs::isStart(*Call, *Mpi, View))
      check(Call, [&] { return std::make_unique<WindowEpochs>(View, *Call, *Mpi); });
  }
}

} // namespace

void mck::statics::findStateErrors(const Canonical &Code, const Memory &Stored, ArrayRef<MissingCall> Missing,
                                   Warnings &Out) {
  RankValues Values(Code, Stored);
  for (Function *F : Code.roots()) {
    FunctionView View(Code, Stored, *F);
    FunctionStates(View, Values, Missing, Out).run();
  }
}
