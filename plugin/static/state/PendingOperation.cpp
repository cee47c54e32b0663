// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of the request of an operation (PendingOperation.h); PendingAccess.cpp has its buffers.
#include "static/state/PendingOperation.h"
#include "static/state/EpochCall.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

bool PendingOperation::isStart(const MpiFunction &Function) {
  const mck_std_fn &Row = Function.row();
  return (Row.has_request && !Row.has_callback) || Row.access != MCK_STD_ACCESS_NONE ||
         Row.split == MCK_STD_SPLIT_BEGIN;
}

// Is the address one of what the call got? Where addresses meet, it may be.
bool PendingOperation::mayTouch(const Value *Address) {
  const Value *Base = getUnderlyingObject(Address);
  auto IsMeeting = [](const Value *V) { return isa<PHINode>(V) || isa<SelectInst>(V); };
  return any_of(Start.args(), [&](const Use &Argument) {
    if (!Argument->getType()->isPointerTy() || isa<ConstantPointerNull>(Argument)) return false;
    const Value *Own = getUnderlyingObject(Argument);
    return Own == Base || IsMeeting(Own) || IsMeeting(Base) || View.Numbers.of(Own) == View.Numbers.of(Base);
  });
}

bool PendingOperation::isEvent(const Instruction &I) {
  if (&I == &Start || isa<AnyMemIntrinsic>(I) || maySynchronize(I)) return true;
  if (const auto *Load = dyn_cast<LoadInst>(&I)) return mayTouch(Load->getPointerOperand());
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getValueOperand()->getType()->isPointerTy() || mayTouch(Store->getPointerOperand()) ||
           mayMove(*Store);
  const auto *Call = dyn_cast<CallBase>(&I);
  if (Call) HasRelease |= isRelease(*Call);
  return Call && (!isa<IntrinsicInst>(I) || Call->isLifetimeStartOrEnd());
}

Place PendingOperation::slot(const Node &N, PathWalk &Walk) const {
  const Value *Address = Start.getArgOperand(unsigned(requestOf(What)));
  Place Found = Walk.Memories.of(Address, N.Known);
  const Value *Object = N.State[ObjectAt]          ? SlotObjects[size_t(N.State[ObjectAt] - 1)]
                        : N.State[SlotAt] == Stale ? getUnderlyingObject(Address) // what it is now is another one
                                                   : nullptr;
  if (Object) Found.Base = Object, Found.Object = View.Numbers.of(Object);
  if (N.State[SlotAt] != Unknown) Found.Offset = Sum{{}, {N.State[SlotAt], N.State[SlotAt]}};
  return Found;
}

// Is the request in these bytes?
Meeting PendingOperation::meetsSlot(const Value *Address, int64_t Length, const Node &N, PathWalk &Walk) const {
  if (requestOf(What) < 0 || !What.row().has_request) return Meeting::Never;
  Place At = Walk.Memories.of(Address, N.Known);
  Place Own = slot(N, Walk);
  if (N.State[SlotAt] != Stale) return Walk.Memories.meet(At, Length, Own, handleSize(), N.Known);
  return Walk.Memories.sameObject(At.Base, Own.Base) == Meeting::Never ? Meeting::Never : Meeting::Perhaps;
}

// What the buffers are is asked once, at the beginning of a path.
int64_t PendingOperation::keep(const CallBuffer &Found) {
  for (size_t I = 0; I < Buffers.size(); ++I)
    if (Buffers[I].Parameter == Found.Parameter && Buffers[I].At.Base == Found.At.Base &&
        Buffers[I].IsSettled == Found.IsSettled)
      return int64_t(I);
  Buffers.push_back(Found);
  return int64_t(Buffers.size()) - 1;
}

// The variable that the request is in, where a pointer leads there on this path only: requests that change places.
void PendingOperation::keepSlot(Node &N, PathWalk &Walk) {
  const Value *Address = Start.getArgOperand(unsigned(requestOf(What)));
  const Value *Object = Walk.Memories.of(Address, N.Known).Base;
  bool IsVariable = isa<AllocaInst>(Object) || isa<GlobalVariable>(Object) || isAllocation(Object);
  if (N.State[SlotAt] == Unknown || !IsVariable || Object == getUnderlyingObject(Address)) return;
  auto Known = find(SlotObjects, Object);
  if (Known == SlotObjects.end()) Known = SlotObjects.insert(Known, Object);
  N.State[ObjectAt] = Known - SlotObjects.begin() + 1;
}

// Before the first byte of a variable is no place: an index of -1 says that a search has failed, and nobody uses it.
static bool isBefore(const Place &P) {
  return (isa<AllocaInst>(P.Base) || isa<GlobalVariable>(P.Base)) && P.Offset.isNumber() && P.Offset.Rest.Low < 0;
}

void PendingOperation::begin(Node &N, PathWalk &Walk) {
  N.IsTracking = true;
  N.State = {};
  N.State[PhaseAt] = isPersistent() ? Inactive : Active;
  N.State[SlotAt] = N.State[BufferAt] = N.State[Buffer2At] = Unknown;
  auto Number = [](const Place &P) { return P.Offset.isNumber() ? P.Offset.Rest.Low : Unknown; };
  if (What.row().has_request) {
    N.State[SlotAt] = Number(slot(N, Walk));
    keepSlot(N, Walk);
    N.IsDead |= isBefore(slot(N, Walk));
  }
  unsigned Which = BufferAt;
  for (const CallBuffer &B : buffersOf(Start, What, Walk.Thinker, Walk.Memories, N.Known, true)) {
    if (Which > Buffer2At) break;
    N.State[Which] = Number(B.At), N.State[Which + 1] = B.Length;
    N.IsDead |= isBefore(B.At);
    N.State[Which == BufferAt ? WhichAt : Which2At] = keep(B);
    Which += 2;
  }
  for (; Which <= Buffer2At; Which += 2) N.State[Which] = Stale;
}

void PendingOperation::turn(Node &N, const Loop &L, PathWalk &Walk) {
  if (!N.IsTracking) return;
  auto IsOfTurn = [&](const Value *Address) {
    SmallVector<const Value *, 8> Work{Address};
    for (unsigned Steps = 0; !Work.empty() && Steps < 200; ++Steps) {
      const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
      if (!I || isa<AllocaInst>(I) || !L.contains(I)) continue;
      if (isa<PHINode>(I) || isa<LoadInst>(I) || isa<CallBase>(I)) return true;
      Work.append(I->op_begin(), I->op_end());
    }
    return false;
  };
  auto IsOneOfTurn = [&](StringRef Role) {
    const Value *Given = argument(Start, What, Role);
    return Given && IsOfTurn(Given);
  };
  // In the next turn the same expressions are other numbers.
  for (unsigned Which : {BufferAt, Buffer2At}) {
    int64_t &Is = N.State[Which == BufferAt ? WhichAt : Which2At];
    if (N.State[Which] == Stale || Buffers[size_t(Is)].IsSettled) continue;
    if (none_of(ArrayRef<StringRef>{"sendcount", "recvcount", "dest", "source", "target"}, IsOneOfTurn)) continue;
    CallBuffer Settled = Buffers[size_t(Is)];
    if (isUnused(Start, What, Settled.Parameter, Walk.Thinker, N.Known)) {
      N.State[Which] = Stale;
      continue;
    }
    Settled.IsSettled = true;
    Is = keep(Settled);
  }
  auto IsBaseOfTurn = [&](const Value *Address) { return IsOfTurn(getUnderlyingObject(Address)); };
  auto Age = [&](int64_t &Offset, const Value *Address) {
    if (Offset == Unknown ? IsOfTurn(Address) : IsBaseOfTurn(Address)) Offset = Stale;
  };
  if (What.row().has_request && !N.State[ObjectAt])
    Age(N.State[SlotAt], Start.getArgOperand(unsigned(requestOf(What))));
  for (const Use &Argument : Start.args())
    if (Argument->getType()->isPointerTy())
      for (unsigned Which : {BufferAt, Buffer2At})
        if (N.State[Which] != Stale && (What.row().buffers_in | What.row().buffers_out) >> Argument.getOperandNo() & 1)
          Age(N.State[Which], Argument);
}

void PendingOperation::step(const Instruction &I, Node &N, PathWalk &Walk, SmallVectorImpl<Node> &More) {
  if (!N.IsTracking) {
    if (&I != &Start) return;
    Node Other = N;
    begin(N, Walk);
    if (Walk.View.Loops.getLoopFor(I.getParent())) More.push_back(std::move(Other));
    return;
  }
  follow(I, N, Walk, More);
  if (!N.IsDead) move(I, N, Walk);
}

void PendingOperation::follow(const Instruction &I, Node &N, PathWalk &Walk, SmallVectorImpl<Node> &More) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
  if (N.State[CopiedAt] && mayCompleteCopy(I)) {
    N.IsDead = true;
    return;
  }
  if (maySynchronize(I) && (isOfObject() || !Walk.Memories.isPrivate(slot(N, Walk).Base))) {
    N.IsDead = true; // another thread may be told here of the operation, or tell that it has completed it
    return;
  }
  if (Mpi) {
    stepCall(*Call, *Mpi, N, Walk, More);
  } else if (Call && Call->isLifetimeStartOrEnd()) {
    if (cast<IntrinsicInst>(Call)->getIntrinsicID() == Intrinsic::lifetime_end) endOfVariable(*Call, N, Walk);
  } else if (isa<AnyMemIntrinsic>(I)) {
    touchByCopy(I, N, Walk);
  } else if (Call) {
    touchByCallee(*Call, N, Walk);
    if (N.IsDead) return;
    if (isRelease(*Call)) endOfMemory(I, Call->getArgOperand(0), N, Walk);
    else if (Walk.View.Code.mayReachMpi(*Call) && !Walk.View.Code.origin(Call) &&
             (isOfObject() || !Walk.Memories.isPrivate(slot(N, Walk).Base)))
      N.IsDead = true; // it may complete the operation
  } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    int64_t Size = int64_t(Walk.Memories.layout().getTypeStoreSize(Store->getValueOperand()->getType()));
    Meeting Over = meetsSlot(Store->getPointerOperand(), Size, N, Walk);
    // A handle is no floating point number (C11 6.5).
    if (Over == Meeting::Perhaps && Store->getValueOperand()->getType()->isFloatingPointTy()) Over = Meeting::Never;
    if (Over == Meeting::Surely && isNullRequest(Store->getValueOperand()) && N.State[PhaseAt] == Active &&
        !N.State[CopiedAt] && Walk.Memories.isPrivate(slot(N, Walk).Base))
      lose(I, N, Walk);
    else if (Over != Meeting::Never) N.IsDead = true;
    else touch(I, Walk.Memories.of(Store->getPointerOperand(), N.Known), Size, true, N, Walk);
  } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    learn(*Load, N, Walk);
    int64_t Size = int64_t(Walk.Memories.layout().getTypeStoreSize(Load->getType()));
    copy(*Load, N, Walk);
    if (!N.IsDead) touch(I, Walk.Memories.of(Load->getPointerOperand(), N.Known), Size, false, N, Walk);
  }
}

void PendingOperation::stepCall(const CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk,
                                SmallVectorImpl<Node> &More) {
  int Request = requestOf(Other);
  N.IsDead |= isSplit() && endsSplit(Call, Other, N, Walk);
  if (N.IsDead) return;
  touchByCall(Call, Other, N, Walk);
  if (N.IsDead) return;
  if (Other.row().has_request) giveRequest(Call, Other, N, Walk);
  else if (Request >= 0 && What.row().has_request) useRequest(Call, Other, unsigned(Request), N, Walk, More);
  if (!N.IsDead && isRma()) synchronize(Call, Other, N, Walk);
}

void PendingOperation::giveRequest(const CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk) {
  Meeting Over = meetsSlot(Call.getArgOperand(unsigned(requestOf(Other))), handleSize(), N, Walk);
  if (Over == Meeting::Never) return;
  N.IsDead = true;
  if (Over != Meeting::Surely || N.State[PhaseAt] != Active || N.State[CopiedAt]) return;
  std::string By = &Call == &Start ? "in the next turn of the loop the same variable gets another request"
                                   : "here the same variable gets another request";
  warn("request.overwritten", &Start,
       "the request of " + What.Name.str() + " is overwritten before the operation is complete", {{&Call, By}});
}

// The call has an argument with requests.
void PendingOperation::useRequest(const CallBase &Call, const MpiFunction &Other, unsigned Parameter, Node &N,
                                  PathWalk &Walk, SmallVectorImpl<Node> &More) {
  const Value *Address = Call.getArgOperand(Parameter);
  if (!Address->getType()->isPointerTy()) return;
  int64_t Length = handleSize();
  if (Other.Parameters[Parameter].is("requests")) {
    Range Count = Walk.Thinker.rangeOf(argument(Call, Other, "incount"), N.Known);
    if (Count.High <= 0) return;
    Length = Count.isOne() ? Count.Low * handleSize() : 0;
    if (!Length && meetsSlot(Address, 0, N, Walk) != Meeting::Never) {
      N.IsDead = true; // how many is not known
      return;
    }
  }
  Meeting Has = meetsSlot(Address, Length, N, Walk);
  if (Has == Meeting::Never || Other.Number == MCK_FN_MPI_Cancel || Other.row().family != MCK_STD_FAMILY_REQUEST)
    return;
  if (Has == Meeting::Perhaps) N.IsDead = true;
  else if (Other.row().completes != MCK_STD_COMPLETES_NONE) complete(Call, Other, N, Walk, More);
  else if (Other.row().returns == MCK_STD_RETURNS_STARTED) start(Call, N);
  else N.IsDead = true; // given up
}

void PendingOperation::start(const CallBase &Call, Node &N) {
  if (!isPersistent()) {
    N.IsDead = true;
  } else if (N.State[PhaseAt] == Active) {
    warn("request.start-active", &Call, "a persistent request is started while it is active",
         {{&Start, "the request of this call"}});
    N.IsDead = true;
  } else {
    N.State[PhaseAt] = Active;
  }
}

void PendingOperation::complete(const CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk,
                                SmallVectorImpl<Node> &More) {
  auto Completions = Other.row().completes;
  if (Completions != MCK_STD_COMPLETES_ONE && Completions != MCK_STD_COMPLETES_ALL) {
    N.IsDead = true;
    return;
  }
  if (N.State[PhaseAt] != Active) { // the flag is true (3.7.3)
    const Value *Flag = givenBy(Call, "flag", Walk.View.Code);
    if (Flag && Completions == MCK_STD_COMPLETES_ONE) N.Known.set({Walk.View.Numbers.of(Flag), 0, {1, 1}});
    return;
  }
  if (Other.row().asks == MCK_STD_ASKS_YES) {
    const Value *Flag = givenBy(Call, "flag", Walk.View.Code);
    if (!Flag) {
      N.IsDead = true;
      return;
    }
    Node Pending = N;
    Pending.Known.set({Walk.View.Numbers.of(Flag), 0, {0, 0}});
    Pending.State[TestedAt] = int64_t(View.Ways.indexOf(Call.getParent())) + 1;
    More.push_back(std::move(Pending));
    N.Known.set({Walk.View.Numbers.of(Flag), 0, {1, 1}});
  }
  if (isPersistent()) N.State[PhaseAt] = Inactive;
  else N.IsDead = true;
}

// Calls of a window that complete operations at their origin.
void PendingOperation::synchronize(const CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk) {
  const Value *Own = argument(Start, What, "win"), *Window = argument(Call, Other, "win");
  if (mck_std_frees_window(Other.Number)) N.IsDead = true;
  if (!mck_std_does(Other.Number, MCK_STD_EPOCH_COMPLETES_ORIGIN) || !Window) return;
  if (compareHandles(Own, Window, Walk.View.Code, Walk.Thinker, N.Known) == Meeting::Never) return;
  const Value *Target = argument(Call, Other, "target"), *OwnTarget = argument(Start, What, "target");
  if (Target && OwnTarget) {
    Range Distance = Walk.Thinker.rangeOf(
        Walk.Thinker.valueOf(Target, N.Known).plus(Walk.Thinker.valueOf(OwnTarget, N.Known), -1), N.Known);
    if (Distance.Low > 0 || Distance.High < 0) return;
  }
  N.IsDead = true;
}

// The request of an operation is not MPI_REQUEST_NULL until it is complete (MPI-3.1 3.7.2, 3.7.3).
void PendingOperation::learn(const LoadInst &Load, Node &N, PathWalk &Walk) {
  bool IsNumber = isOfFortran(Start) && Load.getType()->isIntegerTy();
  if (!What.row().has_request || (!Load.getType()->isPointerTy() && !IsNumber)) return;
  Meeting Has = meetsSlot(Load.getPointerOperand(), handleSize(), N, Walk);
  if (Has == Meeting::Never) return;
  if (IsNumber) { // what numbers mean is not asked
    N.IsDead = true;
    return;
  }
  for (const User *By : Load.users()) {
    const auto *Question = dyn_cast<ICmpInst>(By);
    if (!Question || !Question->isEquality()) continue;
    if (!isNullRequest(Question->getOperand(Question->getOperand(0) == &Load ? 1 : 0))) continue;
    if (Has == Meeting::Perhaps) {
      N.IsDead = true; // whether it asks for this request is not known
      return;
    }
    bool IsTrue = Question->getPredicate() == CmpInst::ICMP_NE;
    Comparison Asked = View.Numbers.of(*Question);
    N.Known.set({Asked.Number, 0, {IsTrue != Asked.IsNegated, IsTrue != Asked.IsNegated}});
  }
}

// The request is lost: nobody can complete the operation any more.
void PendingOperation::lose(const Instruction &At, Node &N, PathWalk &Walk) {
  N.IsDead = true;
  if (!What.row().has_request) return;
  std::vector<Note> Notes;
  if (const Instruction *Turn = Walk.turningPoint(N, completions(N, Walk)))
    Notes.push_back({Turn, "this condition leads past what completes it"});
  if (N.State[PhaseAt] == Active) {
    Notes.push_back(
        {&At, isa<StoreInst>(At) ? "here its request is lost" : "here its request is lost: the function ends"});
    warn("request.not-completed", &Start, "the operation of " + What.Name.str() + " is not completed on every path",
         Notes);
  } else {
    Notes.push_back({&At, "here its handle is lost"});
    warn("leak.request", &Start, "the persistent request of " + What.Name.str() + " is not freed on every path", Notes);
  }
}

void PendingOperation::endOfVariable(const CallBase &Call, Node &N, PathWalk &Walk) {
  const Value *Variable = Call.getArgOperand(1)->stripPointerCasts();
  if (What.row().has_request && slot(N, Walk).Base == Variable) {
    if (N.State[CopiedAt]) return; // the copy is still there
    if (Walk.Memories.isPrivate(Variable)) lose(Call, N, Walk);
    N.IsDead = true;
    return;
  }
  endOfMemory(Call, Variable, N, Walk);
}

void PendingOperation::end(const Instruction &Return, Node &N, PathWalk &Walk) {
  if (!N.IsTracking) return;
  if (What.row().has_request && !N.State[CopiedAt] && Walk.Memories.isPrivate(slot(N, Walk).Base)) {
    lose(Return, N, Walk);
    return;
  }
  if (Walk.View.F.getName() == "main") return;
  for (unsigned Which : {0, 1})
    if (auto B = buffer(Which, N, Walk); B && isa<AllocaInst>(B->At.Base))
      warn(isRma() ? "rma.race-local" : "buffer.modified-in-use", &Start,
           "the buffer of " + What.Name.str() +
               " is a local variable, and its function may return before the "
               "operation is complete",
           {{&Return, "here the function returns"}});
}
