// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what the processes of a program do with window memory (RemoteRaces.h). A pair of accesses is wrong if, with
// each number of ranks and each value of unknown numbers with which two processes come to both in one epoch, some two
// touch the same bytes; or in a run without arguments or with an option, if all that decides is known there. A program
// that excludes other numbers of processes than two is judged by two.
#include "static/spmd/RemoteRaces.h"
#include "static/spmd/Processes.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

namespace {

using Pair = std::pair<const Instruction *, const Instruction *>;
struct Example {
  Access First, Second;
  int Size, Round;
};
struct Verdict {
  bool IsAlways = true;
  std::set<int> Sizes;                  // with a conflict
  std::map<int, std::set<int>> Certain; // the same, of rounds of which all is known
  std::optional<Example> Shown;
};

class RaceSearch {
public:
  RaceSearch(FunctionView &View, RankValues &Values) : View(View), Values(Values) {}
  void run(CommKey Group);
  std::vector<Example> wrong() const;

private:
  FunctionView &View;
  RankValues &Values;
  std::map<Pair, Verdict> Large, Small;    // with more than two processes, with two
  unsigned Steps = 0;                      // that were executed
  unsigned LargeSizes = 0, SmallSizes = 0; // numbers of processes that the program is for
  bool execute(CommKey Group, int Size, int Round);
  void compare(const std::vector<Trace> &All, int Round, std::map<Pair, Verdict> &Into);
};

constexpr int ManyRounds = Rounds + 64;
constexpr unsigned ManySteps = 1000000;

// The exposure epoch of the target that an operation belongs to: its n-th start for this target meets the n-th post for
// its process (MPI-3.1 11.5.2). -1: there is none.
int exposureOf(const Access &A, int Target, int Start, const std::vector<Trace> &All) {
  const std::vector<Exposure> &Of = All[size_t(Target)].Exposures;
  for (size_t I = 0; I < Of.size(); ++I)
    if (Of[I].Window == A.Window && Of[I].Origins.count(int(A.What.process)) && !--Start) return int(I);
  return -1;
}

// Nothing that the target did in its exposure epoch is known to this process, since between two collective calls
// neither it nor those for whose posts it waited learned anything.
bool isUninformed(const Access &Operation, const Access &Local, const std::vector<Trace> &All) {
  if (Operation.Phase != Local.Phase || Operation.Phase <= 0 || Operation.Learned) return false;
  return all_of(Operation.Targets, [&](const auto &Target) {
    int At = exposureOf(Operation, Target.first, Target.second, All);
    if (At < 0) return false;
    const Exposure &Is = All[size_t(Target.first)].Exposures[size_t(At)];
    return Is.Phase == Operation.Phase && !Is.Learned;
  });
}

// In one exposure epoch of the target. A load or store of it comes before an operation only if the target tells someone
// before the epoch ends.
bool areInOneExposure(const Access &A, const Access &B, const std::vector<Trace> &All) {
  if (!A.isLocal() && !B.isLocal()) {
    int Of = A.Start > 0 && B.Start > 0 ? exposureOf(A, A.Target, A.Start, All) : -1;
    return Of >= 0 && Of == exposureOf(B, B.Target, B.Start, All);
  }
  const Access &Local = A.isLocal() ? A : B, &Operation = A.isLocal() ? B : A;
  if (Local.Exposure < 0 || Operation.Start <= 0) return false;
  if (exposureOf(Operation, Operation.Target, Operation.Start, All) != Local.Exposure) return false;
  bool HasTold = All[size_t(Local.Target)].Exposures[size_t(Local.Exposure)].ToldAtEnd != Local.Told;
  return !HasTold || isUninformed(Operation, Local, All);
}

// Two accesses between the same collective calls. What a process does before it has learned something there comes
// behind nothing that another one did there, so each of the two may be the first one.
bool areUninformed(const Access &A, const Access &B, const std::vector<Trace> &All) {
  auto HasLearned = [&](const Access &One) { return One.Learned && All[One.What.process].Ordered.count(One.Phase); };
  bool AreExclusive = A.What.lock == MCK_CONFLICT_EXCLUSIVE || B.What.lock == MCK_CONFLICT_EXCLUSIVE;
  if (AreExclusive && A.What.lock != MCK_CONFLICT_UNLOCKED && B.What.lock != MCK_CONFLICT_UNLOCKED) return false;
  return A.Phase == B.Phase && A.Phase > 0 && !HasLearned(A) && !HasLearned(B);
}

// Nothing orders the two: one epoch between fences, or one phase between collectives under shared locks. Operations are
// complete at the closing fence, whatever comes between. A load or store comes before an operation only if the process
// calls something that communicates, and then the operation is behind the next collective.
bool areTogether(const Access &A, const Access &B, const std::vector<Trace> &All) {
  if (A.isLocal() && B.isLocal()) return areUninformed(A, B, All);
  if (A.Start >= 0 || B.Start >= 0 || A.Exposure >= 0 || B.Exposure >= 0) return areInOneExposure(A, B, All);
  bool IsLockedA = A.What.lock != MCK_CONFLICT_UNLOCKED, IsLockedB = B.What.lock != MCK_CONFLICT_UNLOCKED;
  const Access &Local = A.isLocal() ? A : B, &Operation = A.isLocal() ? B : A;
  const Trace &OfLocal = All[Local.What.process];
  if (!Local.isLocal() && !IsLockedA && !IsLockedB) return A.Epoch == B.Epoch && A.Epoch > 0;
  if (Local.isLocal() && Operation.What.lock == MCK_CONFLICT_UNLOCKED)
    return A.Epoch == B.Epoch && A.Epoch > 0 && Operation.Phase >= 0 && Operation.Phase <= Local.Phase &&
           !OfLocal.Ordered.count(Local.Phase);
  if (!Local.isLocal() && IsLockedA != IsLockedB) return false; // one of a fence's epoch
  bool IsExclusive = A.What.lock == MCK_CONFLICT_EXCLUSIVE || B.What.lock == MCK_CONFLICT_EXCLUSIVE;
  if (IsExclusive && IsLockedA && IsLockedB) return false;
  return areUninformed(A, B, All);
}

// The bytes at the target; nothing: not known.
std::optional<std::pair<int64_t, int64_t>> bytesOf(const Access &A, const Trace &Target) {
  if (A.isLocal()) return std::make_pair(A.Low, A.High);
  auto Window = Target.Windows.find(A.Window);
  if (Window == Target.Windows.end() || Window->second.Unit <= 0) return std::nullopt;
  return std::make_pair(A.Low * Window->second.Unit, A.Low * Window->second.Unit + A.High);
}

mck_conflict conflictOf(const Access &A, const Access &B, const Trace &Target) {
  auto BytesA = bytesOf(A, Target), BytesB = bytesOf(B, Target);
  if (!BytesA || !BytesB) return MCK_CONFLICT_NONE;
  if (BytesA->second <= BytesB->first || BytesB->second <= BytesA->first) return MCK_CONFLICT_NONE;
  int64_t Size = A.What.type ? A.What.type >> 8 : 0;
  bool IsMisaligned = Size && A.What.type == B.What.type && (BytesA->first - BytesB->first) % Size;
  return mck_conflict_of(&A.What, &B.What, IsMisaligned, 0);
}

void RaceSearch::compare(const std::vector<Trace> &All, int Round, std::map<Pair, Verdict> &Into) {
  std::map<Pair, std::pair<bool, std::optional<Example>>> Here;
  for (size_t R1 = 0; R1 < All.size(); ++R1)
    for (size_t R2 = R1 + 1; R2 < All.size(); ++R2)
      for (const Access &A : All[R1].Accesses)
        for (const Access &B : All[R2].Accesses) {
          if (A.Window != B.Window || A.Target != B.Target) continue;
          if (!areTogether(A, B, All)) continue;
          Pair Key = std::minmax(A.At, B.At);
          auto &Found = Here[Key];
          mck_conflict Is = conflictOf(A, B, All[size_t(A.Target)]);
          if (!Found.second && (Is == MCK_CONFLICT_RACE || Is == MCK_CONFLICT_ATOMICITY))
            Found.second = Example{A, B, int(All.size()), Round};
        }
  for (auto &[Key, Found] : Here) {
    Verdict &V = Into[Key];
    if (!Found.second) V.IsAlways &= isCertainRound(Round);
    else {
      (isCertainRound(Round) ? V.Certain[Round] : V.Sizes).insert(int(All.size()));
      bool IsSimple = !isCertainRound(Round) || Round == NoArguments;
      if (!V.Shown || (IsSimple && V.Shown->Round < NoArguments)) V.Shown = Found.second;
    }
  }
}

// False: the program is none for so many processes.
bool RaceSearch::execute(CommKey Group, int Size, int Round) {
  std::vector<Trace> All = executeProcesses(View, Values, Group, Size, Round);
  for (const Trace &One : All) {
    Steps += One.Steps;
    if (One.IsEnded) return false;
  }
  compare(All, Round, Size > 2 ? Large : Small);
  return true;
}

void RaceSearch::run(CommKey Group) {
  // Most programs have nothing that could conflict: a short look first. Of two of the numbers 3, 4 and 5 it has one.
  bool IsForMore = false;
  int Most = 1;
  for (int Round = 0; Round < Most && (Round < Rounds || Steps < ManySteps); ++Round) {
    for (int Size : {3, 4}) IsForMore |= execute(Group, Size, Round);
    if (!IsForMore) execute(Group, 2, Round);
    Most = Values.hasSymbols() ? ManyRounds : 1;
  }
  bool HasDefaults = View.F.getName() == "main" && Values.hasSymbols();
  int Last = HasDefaults ? NoArguments : 0; // of the command lines: all of a short program
  for (; HasDefaults && (Last == NoArguments || Steps < ManySteps); --Last) {
    for (int Size : {3, 4}) execute(Group, Size, Last);
    if (Last == Values.lastCertainRound()) break;
  }
  auto HasFound = [](const std::map<Pair, Verdict> &All) {
    return any_of(All, [](const auto &One) { return !One.second.Sizes.empty() || !One.second.Certain.empty(); });
  };
  if (!HasFound(Large) && !HasFound(Small)) return;
  if (Steps >= ManySteps) Most = Rounds;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size) {
    bool IsFor = false;
    for (int Round = Last; Round < Most; ++Round) IsFor |= execute(Group, Size, Round);
    (Size > 2 ? LargeSizes : SmallSizes) += IsFor;
  }
}

std::vector<Example> RaceSearch::wrong() const {
  std::vector<Example> Found;
  bool IsForTwo = !LargeSizes && SmallSizes;
  for (const auto &[Key, V] : IsForTwo ? Small : Large) {
    size_t Enough = std::min(2U, IsForTwo ? 1 : LargeSizes);
    bool IsWrong = (V.IsAlways && V.Sizes.size() >= Enough) ||
                   any_of(V.Certain, [&](const auto &One) { return One.second.size() >= Enough; });
    if (!V.Shown || !IsWrong) continue;
    Found.push_back(*V.Shown);
    // The warning is about an operation; of two, about the one that comes later.
    Example &Shown = Found.back();
    bool AreLocal = Shown.First.isLocal() && Shown.Second.isLocal();
    bool IsLater = (AreLocal || !Shown.Second.isLocal()) && Shown.First.Order < Shown.Second.Order;
    if ((Shown.First.isLocal() && !AreLocal) || IsLater) std::swap(Shown.First, Shown.Second);
  }
  llvm::sort(Found, [&](const Example &A, const Example &B) {
    return std::tuple(View.order(*A.First.At), View.order(*A.Second.At)) <
           std::tuple(View.order(*B.First.At), View.order(*B.Second.At));
  });
  return Found;
}

std::string describe(const Access &A) {
  std::string Rank = "rank " + std::to_string(A.What.process);
  if (A.isLocal()) return Rank + (A.What.kind == MCK_CONFLICT_STORE ? " stores there" : " reads there");
  return findMpi(cast<CallBase>(*A.At))->Name.str() + " of " + Rank;
}

void say(const Example &Shown, const RankValues &Values, Warnings &Out) {
  const Access &First = Shown.First, &Second = Shown.Second;
  bool IsAtomicity = First.What.kind == MCK_CONFLICT_ACCUMULATE && Second.What.kind == MCK_CONFLICT_ACCUMULATE;
  std::string What = !First.isLocal()                        ? findMpi(cast<CallBase>(*First.At))->Name.str() + " to"
                     : First.What.kind == MCK_CONFLICT_STORE ? "a store to"
                                                             : "a load from";
  std::string Text = What + " window memory that another rank accesses in the same epoch: of " +
                     std::to_string(Shown.Size) + " ranks, ranks " + std::to_string(First.What.process) + " and " +
                     std::to_string(Second.What.process) + " access that of rank " + std::to_string(First.Target);
  if (isCertainRound(Shown.Round)) Text += Values.lineOf(Shown.Round).describe();
  Out.add({IsAtomicity ? "rma.atomicity" : "rma.race",
           First.At,
           Text,
           {{Second.At, describe(Second) + ", and nothing orders the two"}}});
}

bool hasOperations(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && (Mpi->row().access != MCK_STD_ACCESS_NONE || Mpi->Number == MCK_FN_MPI_Win_shared_query);
  });
}

// The communicators of windows that the function makes. MPI_COMM_SELF has one process each (MPI-3.1 6.2.4).
SmallVector<CommKey, 2> groupsOf(const Function &F, RankValues &Values) {
  SmallVector<CommKey, 2> All;
  bool HasWindow = false;
  const GlobalValue *SelfVariable = F.getParent()->getNamedValue("ompi_mpi_comm_self");
  CommKey Self = SelfVariable ? Values.ranksOf(SelfVariable) : nullptr;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    if (!Mpi || Mpi->find("newwin") < 0) continue;
    HasWindow = true;
    const Value *Comm = argument(*Call, *Mpi, "comm");
    CommKey Key = Comm ? Values.ranksOf(Comm) : nullptr;
    if (Key && Key != Self && !is_contained(All, Key)) All.push_back(Key);
  }
  // Processes that are executed together know which communicators have all of them.
  CommKey World = findWorld(*F.getParent());
  if (HasWindow && World && F.getName() == "main" && !is_contained(All, World)) All.push_back(World);
  return All;
}

} // namespace

void mck::statics::findRemoteRaces(const Canonical &Code, const Memory &Stored, Warnings &Out) {
  if (!Out.isOn("rma.race") && !Out.isOn("rma.atomicity")) return;
  for (Function *F : Code.roots()) {
    if (!hasOperations(*F)) continue;
    FunctionView View(Code, Stored, *F);
    RankValues Values(Code, Stored);
    Values.lookForOptions(*F);
    for (CommKey Group : groupsOf(*F, Values)) {
      RaceSearch Search(View, Values);
      Search.run(Group);
      for (const Example &Shown : Search.wrong()) say(Shown, Values, Out);
    }
  }
}
