// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which epochs of a window are open (WindowEpochs.h). EpochConditions.cpp says which conditions matter.
#include "static/state/WindowEpochs.h"
#include "static/state/EpochCall.h"
#include "llvm/Analysis/CFG.h"

using namespace llvm;
using namespace mck::statics;

static std::string nameOf(const Instruction &I) {
  const MpiFunction *Mpi = findMpi(cast<CallBase>(I));
  return Mpi ? Mpi->Name.str() : "";
}

static bool makesWindow(const MpiFunction &Function) {
  int At = Function.find("newwin");
  return At >= 0 && Function.Parameters[unsigned(At)].Way == Direction::OUT;
}

// A window that another function made: it must be the same one at each use, so it is an argument. It is followed from
// the first calls on.
bool WindowEpochs::isStart(const CallBase &Call, const MpiFunction &Function, FunctionView &View) {
  if (makesWindow(Function)) return givenBy(Call, "newwin", View.Code) != nullptr;
  const Value *Window = argument(Call, Function, "win");
  if (!Window || !isa<Argument>(Window) || mck_std_epoch_call(Function.Number) == MCK_STD_CALL_OTHER) return false;
  return none_of(Window->users(), [&](const User *By) {
    const auto *Other = dyn_cast<CallBase>(By);
    const MpiFunction *Mpi = Other && Other != &Call ? findMpi(*Other) : nullptr;
    return Mpi && mck_std_epoch_call(Mpi->Number) != MCK_STD_CALL_OTHER && View.Tree.dominates(Other, &Call);
  });
}

WindowEpochs::WindowEpochs(FunctionView &View, const CallBase &Start, const MpiFunction &What)
    : View(View), Start(Start), IsMade(makesWindow(What)) {
  Own = IsMade ? givenBy(Start, "newwin", View.Code) : argument(Start, What, "win");
}

bool WindowEpochs::isEvent(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
  if (&I == &Start) return true;
  if (!Mpi) return maySynchronize(I) || (Call && View.Code.mayReachMpi(*Call) && !View.Code.origin(Call));
  return Mpi->find("win") >= 0 || mck_std_frees_window(Mpi->Number) || Mpi->Number == MCK_FN_MPI_Finalize;
}

int64_t WindowEpochs::numberOf(const Instruction &I) {
  auto Found = find(Calls, &I);
  if (Found == Calls.end()) Found = Calls.insert(Calls.end(), &I);
  return Found - Calls.begin();
}

// A number of Targets; -1: it is not known, or may change.
int64_t WindowEpochs::targetOf(const CallBase &Call, const MpiFunction &Function, PathWalk &Walk, const Facts &F) {
  const Value *Target = argument(Call, Function, "target");
  if (!Target) return -1;
  Sum Is = Walk.Thinker.valueOf(Target, F);
  for (const auto &[Number, Factor] : Is.Terms)
    if (any_of(View.Numbers.leaves(Number), [](const Value *Leaf) { return isa<LoadInst>(Leaf); })) return -1;
  if (!Is.Rest.isOne()) return -1;
  for (size_t I = 0; I < Targets.size(); ++I)
    if (Targets[I].Terms == Is.Terms && Targets[I].Rest == Is.Rest) return int64_t(I);
  Targets.push_back(Is);
  return int64_t(Targets.size()) - 1;
}

// Is the target of the call the one that is locked?
Meeting WindowEpochs::meetsTarget(const CallBase &Call, const MpiFunction &Function, const Node &N, PathWalk &Walk) {
  int64_t Other = targetOf(Call, Function, Walk, N.Known), Locked = N.State[TargetAt];
  if (Other < 0 || Locked < 0) return Meeting::Perhaps;
  Range Distance = Walk.Thinker.rangeOf(Targets[size_t(Other)].plus(Targets[size_t(Locked)], -1), N.Known);
  if (Distance == Range{0, 0}) return Meeting::Surely;
  return Distance.Low > 0 || Distance.High < 0 ? Meeting::Never : Meeting::Perhaps;
}

Meeting WindowEpochs::isOwn(const Value *Handle, PathWalk &Walk, const Facts &F) {
  return compareHandles(Own, Handle, View.Code, Walk.Thinker, F);
}

// What is computed in the loop is another target from now on.
void WindowEpochs::turn(Node &N, const Loop &L, PathWalk &) {
  if (!N.IsTracking || N.State[TargetAt] < 0) return;
  for (const auto &[Number, Factor] : Targets[size_t(N.State[TargetAt])].Terms)
    for (const Value *Leaf : View.Numbers.leaves(Number))
      if (const auto *I = dyn_cast<Instruction>(Leaf); I && L.contains(I)) N.State[TargetAt] = -1;
}

void WindowEpochs::step(const Instruction &I, Node &N, PathWalk &Walk, SmallVectorImpl<Node> &More) {
  if (maySynchronize(I)) { // another thread may have opened and closed epochs
    if (N.IsTracking && !IsPrivate) forget(N);
    return;
  }
  const auto &Call = cast<CallBase>(I);
  const MpiFunction *Mpi = findMpi(Call);
  if (!N.IsTracking) {
    if (&I != &Start) return;
    if (View.Loops.getLoopFor(I.getParent())) More.push_back(N);
    N.IsTracking = true;
    forget(N);
    for (unsigned At = 0; At < OpenConditions::Size; ++At) N.State[OpenAt + At] = 0;
    if (IsMade) N.State[AccessAt] = None, N.State[AloneAt] = 1, N.State[PostAt] = NotPosted;
    IsPrivate = IsMade && isPrivateHandle(Own, Walk.Memories);
    if (!IsMade) synchronize(Call, *Mpi, N, Walk, More);
    return;
  }
  if (IsMade && &I == &Start) N.IsDead = true; // the next turn has another window
  else if (!Mpi) {
    if (!IsPrivate) forget(N); // it may open and close epochs
  } else if (Mpi->Number == MCK_FN_MPI_Finalize) finish(Call, *Mpi, N);
  else {
    const Value *Window = argument(Call, *Mpi, mck_std_frees_window(Mpi->Number) ? "newwin" : "win");
    Meeting Has = Window ? isOwn(Window, Walk, N.Known) : Meeting::Never;
    if (Has == Meeting::Perhaps) N.IsDead = true;
    else if (Has == Meeting::Surely) synchronize(Call, *Mpi, N, Walk, More);
  }
}

void WindowEpochs::synchronize(const CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk,
                               SmallVectorImpl<Node> &More) {
  const Value *Target = argument(Call, Function, "target");
  Range To = Target ? Walk.Thinker.rangeOf(Target, N.Known) : Range();
  if (To.isOne() && To.Low == ProcNull) return;
  if (mck_std_frees_window(Function.Number)) return finish(Call, Function, N);
  if (Function.row().access != MCK_STD_ACCESS_NONE) return operate(Call, Function, N, Walk);
  switch (mck_std_epoch_call(Function.Number)) {
  case MCK_STD_CALL_FENCE: return fence(Call, Function, N, Walk);
  case MCK_STD_CALL_START: return start(Call, N);
  case MCK_STD_CALL_COMPLETE:
    if (N.State[AccessAt] != Started && N.State[AccessAt] != Unknown)
      return wrong("rma.epoch-unopened", Call, "MPI_Win_complete without MPI_Win_start", N);
    N.State[AccessAt] = None, N.State[HolderAt] = -1;
    return;
  case MCK_STD_CALL_POST: return post(Call, N);
  case MCK_STD_CALL_WAIT: return wait(Call, Function, N, More);
  case MCK_STD_CALL_LOCK: return lock(Call, Function, N, Walk);
  case MCK_STD_CALL_UNLOCK: return unlock(Call, Function, N, Walk);
  case MCK_STD_CALL_FLUSH: return flush(Call, Function, N);
  case MCK_STD_CALL_OTHER: return;
  }
}

void WindowEpochs::open(Access Is, const CallBase &Call, Node &N) {
  N.State[AccessAt] = Is, N.State[HolderAt] = numberOf(Call), N.State[TargetAt] = -1;
  if (Is != Locked) N.State[AloneAt] = 1; // access epochs are disjoint
}

void WindowEpochs::forget(Node &N) {
  N.State[AccessAt] = Unknown, N.State[HolderAt] = N.State[TargetAt] = -1;
  N.State[AloneAt] = 0, N.State[PostAt] = PerhapsPosted;
}

void WindowEpochs::wrong(StringRef Kind, const CallBase &Call, std::string Text, Node &N) {
  std::vector<Note> Notes;
  if (N.State[HolderAt] >= 0) Notes.push_back({Calls[size_t(N.State[HolderAt])], "the epoch of this call is open"});
  if (const Instruction *Last = Conditions.last(N, View))
    Notes.push_back({Last, "on one of the ways from this condition"});
  warn(Kind, &Call, std::move(Text), std::move(Notes));
  N.IsDead = true;
}

// Access epochs of one window at one process are disjoint.
bool WindowEpochs::isMixed(const CallBase &Call, Node &N) {
  int64_t Is = N.State[AccessAt];
  if (Is == Locked || Is == LockedAll || Is == Started)
    wrong("rma.epoch-mixed", Call, nameOf(Call) + " within an epoch of " + nameOf(*Calls[size_t(N.State[HolderAt])]),
          N);
  return N.IsDead;
}

void WindowEpochs::fence(const CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk) {
  if (isMixed(Call, N)) return;
  if (N.State[PostAt] >= 0) {
    N.State[HolderAt] = N.State[PostAt];
    return wrong("rma.epoch-mixed", Call, "MPI_Win_fence within an epoch of MPI_Win_post", N);
  }
  Range Assertion = Walk.Thinker.rangeOf(argument(Call, Function, "assertion"), N.Known);
  open(Fenced, Call, N);
  if (!Assertion.isOne()) N.State[AccessAt] = Unknown;
  else if (Assertion.Low & MCK_MODE_NOSUCCEED) N.State[AccessAt] = None, N.State[HolderAt] = -1;
  N.State[PostAt] = NotPosted;
}

static std::string behindOperation(const CallBase &Call) {
  return nameOf(Call) + " after operations of a fence's epoch, which no fence has closed yet";
}

void WindowEpochs::start(const CallBase &Call, Node &N) {
  if (N.State[AccessAt] == Started)
    return wrong("rma.epoch-unclosed", Call,
                 "MPI_Win_start before MPI_Win_complete has closed the epoch of another one", N);
  if (isMixed(Call, N)) return;
  if (N.State[AccessAt] == Used) return wrong("rma.epoch-mixed", Call, behindOperation(Call), N);
  open(Started, Call, N);
}

void WindowEpochs::post(const CallBase &Call, Node &N) {
  if (N.State[PostAt] >= 0) {
    N.State[HolderAt] = N.State[PostAt];
    return wrong("rma.epoch-unclosed", Call, "MPI_Win_post before MPI_Win_wait has closed the epoch of another one", N);
  }
  N.State[PostAt] = numberOf(Call);
}

void WindowEpochs::wait(const CallBase &Call, const MpiFunction &Function, Node &N, SmallVectorImpl<Node> &More) {
  if (N.State[PostAt] == NotPosted) {
    N.State[HolderAt] = -1;
    return wrong("rma.epoch-unopened", Call, Function.Name.str() + " without MPI_Win_post", N);
  }
  if (const Value *Flag = givenBy(Call, "flag", View.Code)) {
    Node Pending = N;
    Pending.Known.set({View.Numbers.of(Flag), 0, {0, 0}});
    More.push_back(std::move(Pending));
    N.Known.set({View.Numbers.of(Flag), 0, {1, 1}});
  } else if (Function.find("flag") >= 0) {
    N.State[PostAt] = PerhapsPosted;
    return;
  }
  N.State[PostAt] = NotPosted;
}

// The calls for the window that lock a target, or unlock one.
SmallVector<const CallBase *, 8> WindowEpochs::callsOf(int Is, PathWalk &Walk) const {
  SmallVector<const CallBase *, 8> Found;
  for (const Instruction &I : instructions(View.F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    if (Mpi && mck_std_epoch_call(Mpi->Number) == Is &&
        compareHandles(Own, argument(*Call, *Mpi, "win"), View.Code, Walk.Thinker, {}) != Meeting::Never)
      Found.push_back(Call);
  }
  return Found;
}

// Does each turn of the loop unlock what it locks, on some way at least, and nothing else does?
bool WindowEpochs::isUnlockedInTurn(const CallBase &Lock, PathWalk &Walk) const {
  const Loop *L = View.Loops.getLoopFor(Lock.getParent());
  auto Pairs = [&](const CallBase *From, const CallBase *To) {
    const Value *A = argument(*From, *findMpi(*From), "target"), *B = argument(*To, *findMpi(*To), "target");
    return A && B && View.Numbers.of(A) == View.Numbers.of(B) && View.Tree.dominates(From, To);
  };
  auto Locks = callsOf(MCK_STD_CALL_LOCK, Walk);
  bool IsFound = false;
  for (const CallBase *Unlock : callsOf(MCK_STD_CALL_UNLOCK, Walk)) {
    if (L && L->contains(Unlock->getParent())) {
      if (!Pairs(&Lock, Unlock)) return false;
      IsFound = true;
      continue;
    }
    bool IsOfOther = any_of(Locks, [&](const CallBase *Other) {
      return Pairs(Other, Unlock) && isPotentiallyReachable(&Lock, Other, nullptr, &View.Tree) &&
             !isPotentiallyReachable(Other, &Lock, nullptr, &View.Tree);
    });
    if (!IsOfOther && isPotentiallyReachable(&Lock, Unlock, nullptr, &View.Tree)) return false;
  }
  return IsFound;
}

void WindowEpochs::lock(const CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk) {
  bool IsAll = mck_std_is_to_all(Function.Number);
  int64_t Is = N.State[AccessAt];
  if (Is == LockedAll)
    return wrong("rma.lock-twice", Call, nameOf(Call) + " while MPI_Win_lock_all holds all targets", N);
  if (Is == Locked && IsAll)
    return wrong("rma.lock-twice", Call, "MPI_Win_lock_all while MPI_Win_lock holds a target", N);
  if (Is == Locked) {
    if (N.State[HolderAt] == numberOf(Call) && isUnlockedInTurn(Call, Walk))
      return wrong("rma.epoch-unclosed", Call, "MPI_Win_lock in a loop of which an earlier turn did not unlock", N);
    if (meetsTarget(Call, Function, N, Walk) == Meeting::Surely)
      return wrong("rma.lock-twice", Call, "MPI_Win_lock of a target that this process has locked already", N);
    N.State[AccessAt] = Several;
    return;
  }
  if (Is == Several) return;
  if (isMixed(Call, N)) return;
  if (Is == Used) return wrong("rma.epoch-mixed", Call, behindOperation(Call), N);
  open(IsAll ? LockedAll : Locked, Call, N);
  if (!IsAll) N.State[TargetAt] = targetOf(Call, Function, Walk, N.Known);
}

void WindowEpochs::unlock(const CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk) {
  bool IsAll = mck_std_is_to_all(Function.Number);
  int64_t Is = N.State[AccessAt];
  if (Is == Unknown || Is == Several) return;
  if (Is != (IsAll ? LockedAll : Locked))
    return wrong("rma.unlock-unlocked", Call,
                 IsAll             ? "MPI_Win_unlock_all without MPI_Win_lock_all"
                 : Is == LockedAll ? "MPI_Win_unlock of a target that MPI_Win_lock_all has locked"
                                   : "MPI_Win_unlock of a target that this process has not locked",
                 N);
  if (!IsAll && meetsTarget(Call, Function, N, Walk) == Meeting::Never) {
    if (!N.State[AloneAt]) N.State[AccessAt] = Several;
    else wrong("rma.unlock-unlocked", Call, "MPI_Win_unlock of another target than the one that is locked", N);
    return;
  }
  N.State[AccessAt] = N.State[AloneAt] ? None : Unknown;
  N.State[HolderAt] = N.State[TargetAt] = -1;
}

void WindowEpochs::flush(const CallBase &Call, const MpiFunction &Function, Node &N) {
  int64_t Is = N.State[AccessAt];
  if (Is == Unknown || Is == Several || Is == Locked || Is == LockedAll) return;
  wrong("rma.flush-active-target", Call,
        Function.Name.str() + " outside of every epoch of MPI_Win_lock or MPI_Win_lock_all", N);
}

void WindowEpochs::operate(const CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk) {
  int64_t Is = N.State[AccessAt];
  std::string Name = Function.Name.str();
  if (Function.row().has_request && (Is == None || Is == Fenced || Is == Used || Is == Started))
    return wrong("rma.outside-epoch", Call, Name + " outside of every epoch of MPI_Win_lock or MPI_Win_lock_all", N);
  if (Is == None) return wrong("rma.outside-epoch", Call, Name + " outside of every access epoch of the window", N);
  if (Is == Locked && N.State[AloneAt] && meetsTarget(Call, Function, N, Walk) == Meeting::Never)
    return wrong("rma.outside-epoch", Call, Name + " to a target that is not locked", N);
  if (Is == Fenced) open(Used, Call, N);
}

// The window is freed, or MPI ends.
void WindowEpochs::finish(const CallBase &Call, const MpiFunction &Function, Node &N) {
  int64_t Is = N.State[AccessAt];
  bool IsEnd = Function.Number == MCK_FN_MPI_Finalize;
  bool IsOpen = Is == Locked || Is == LockedAll || Is == Started;
  if (!IsOpen && N.State[PostAt] >= 0) N.State[HolderAt] = N.State[PostAt], IsOpen = true;
  StringRef Kind = IsEnd ? "init.pending-at-finalize" : "rma.free-in-epoch";
  if (IsOpen)
    wrong(Kind, Call,
          Function.Name.str() + " while an epoch of " + nameOf(*Calls[size_t(N.State[HolderAt])]) + " is open", N);
  else if (Is == Used && !IsEnd)
    wrong(Kind, Call, Function.Name.str() + " before a fence has completed the operations of the window", N);
  N.IsDead = true;
}
