// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of one process, and its loads and stores (Execution.h).
#include "static/spmd/Execution.h"
#include "static/Datatype.h"
#include "static/state/EpochCall.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostAccesses = 400;

void Execution::step(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    int64_t Size = int64_t(Layout.getTypeStoreSize(Store->getValueOperand()->getType()));
    touch(I, Store->getPointerOperand(), Size, true, Store->isVolatile() || Store->isAtomic());
    store(Store->getPointerOperand(), Size, of(Store->getValueOperand()));
    return;
  }
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    touch(I, Load->getPointerOperand(), int64_t(Layout.getTypeStoreSize(I.getType())), false,
          Load->isVolatile() || Load->isAtomic());
  if (const auto *Call = dyn_cast<CallBase>(&I)) return call(*Call);
  if (!I.getType()->isVoidTy()) Known[&I] = compute(I);
}

void Execution::call(const CallBase &Call) {
  if (const Origin *From = View.Code.origin(&Call)) { // what MPI gives
    const Parameter &P = From->Function->Parameters[From->Parameter];
    bool IsObject = Call.getType()->isPointerTy() && P.Way == Direction::OUT;
    Known[&Call] = IsObject ? make(Call) : ofTable(&Call);
    if (P.is("newgroup") && IsObject)
      if (auto Ranks = membersOf(*From->Call, *From->Function)) Groups[Known[&Call].Of] = *Ranks;
    if (P.is("newwin") && P.Way == Direction::OUT)
      if (auto Made = this->Made.Windows.find({From->Call, Times[From->Call]}); Made != this->Made.Windows.end()) {
        this->Made.Windows[Known[&Call].Of] = Made->second;
        this->Made.Windows.erase(Made);
        Windows[Known[&Call].Of] = {};
      }
    return;
  }
  if (const MpiFunction *Mpi = findMpi(Call)) {
    Known[&Call] = Datum{Datum::Number, 0, {}, false}; // that it fails is none of the program's ways
    return callMpi(Call, *Mpi);
  }
  if (isAllocation(&Call)) {
    Known[&Call] = make(Call);
    if (int64_t Size = sizeOfAllocation(Call)) Sizes[Known[&Call].Of] = Size;
    return;
  }
  if (const auto *Copy = dyn_cast<MemCpyInst>(&Call)) {
    Datum To = of(Copy->getDest()), From = of(Copy->getSource()), Size = of(Copy->getLength());
    if (To.What == Datum::Address && From.What == Datum::Address && Size.What == Datum::Number) {
      use(Call, To, Size.Value, true, "a copy to ");
      use(Call, From, Size.Value, false, "a copy from ");
      readConstant(From.Of.first);
      return Memory.copy(To, From, Size.Value);
    }
  }
  if (!Call.getType()->isVoidTy()) Known[&Call] = Call.getType()->isIntegerTy() ? ofTable(&Call) : computeCall(Call);
  callOther(Call);
}

// What its arguments point to.
static bool mayCopy(const CallBase &Call, const Canonical &Code) {
  const Function *Callee = Call.getCalledFunction();
  static constexpr StringRef Names[] = {"memcpy", "memmove", "mempcpy", "realloc", "reallocarray", "qsort"};
  if (isRelease(Call)) return false;
  return !Callee || isa<MemTransferInst>(Call) || is_contained(Names, Callee->getName()) || !Code.isQuiet(*Callee);
}

// A function that is none of MPI's.
void Execution::callOther(const CallBase &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call); Intrinsic && !Call.mayWriteToMemory()) return;
  if (Call.isLifetimeStartOrEnd()) return;
  if (mayCopy(Call, View.Code))
    for (const Use &Argument : Call.args())
      if (Argument->getType()->isPointerTy()) shareRequestsIn(Argument);
  for (const Use &Argument : Call.args())
    if (Argument->getType()->isPointerTy() && !Call.onlyReadsMemory(Call.getArgOperandNo(&Argument)))
      forgetThrough(Argument);
  if (View.Code.mayReachMpi(Call)) return meetUnknown();
  const Function *Callee = Call.getCalledFunction();
  if (Callee && (!Callee->isDeclaration() || View.Code.isQuiet(*Callee))) forgetShared();
}

// It may call MPI, too.
void Execution::meetUnknown() {
  forgetShared();
  Phase = -1;
  IsWhole = Made.AreMessagesKnown = false;
  loseRequests();
  for (const auto &[Key, S] : Windows)
    if (!isPrivateHandle(Key.first, Memories)) IsLost = true;
}

void Execution::order() {
  Made.Ordered.insert(Phase);
  ++Told, ++Learned;
}

void Execution::begin() {
  if (Phase >= 0) ++Phase;
  ++Told, Learned = 0;
}

// A collective call, for the comparison of their sequences.
void Execution::meet(const CallBase &Call, const MpiFunction &Mpi) {
  Collective Is{&Call, nullptr, nullptr, 0, number(Call, Mpi, "root"), nullptr};
  if (Mpi.row().collective == MCK_STD_COLLECTIVE_GROUP) return;
  const Value *Operation = argument(Call, Mpi, "op");
  if (Datum Known = Operation ? of(Operation) : Datum(); Known.What == Datum::Address && !Known.Value)
    Is.Operation = dyn_cast<GlobalVariable>(Known.Of.first); // a predefined one
  if (const Value *Comm = communicator(Call, Mpi)) {
    if (isSelf(Comm)) return;
    Is.Comm = Values.comm(Comm);
    if (Values.ranksOf(Comm) != Who.Comm) {
      Is.Split = Values.split(Comm);
      auto Color = Made.Colors.find(Is.Split);
      if (!Is.Split || Color == Made.Colors.end() || !Color->second) return;
      Is.Color = *Color->second;
    }
  } else if (Mpi.row().collective == MCK_STD_COLLECTIVE_CONNECTED) {
    Is.Comm = Who.Comm;
  } else {
    auto Key = mck_std_frees_window(Mpi.Number) ? std::nullopt : window(Call, Mpi);
    auto Found = Key ? Made.Windows.find(*Key) : Made.Windows.end();
    if (Found == Made.Windows.end() || Found->second.Group != Who.Comm) return;
    Is.Comm = Values.comm(Key->first);
  }
  Made.Collectives.push_back(Is);
}

std::optional<int64_t> Execution::number(const CallBase &Call, const MpiFunction &Mpi, StringRef Role) {
  const Value *V = argument(Call, Mpi, Role);
  Datum Is = V ? of(V) : Datum();
  return Is.What == Datum::Number ? std::optional<int64_t>(Is.Value) : std::nullopt;
}

std::optional<Object> Execution::window(const CallBase &Call, const MpiFunction &Mpi) {
  const Value *V = argument(Call, Mpi, mck_std_frees_window(Mpi.Number) ? "newwin" : "win");
  Datum Is = V ? of(V) : Datum();
  return Is.What == Datum::Address && !Is.IsFloating ? std::optional<Object>(Is.Of) : std::nullopt;
}

// What gave the handle, also where it was kept in memory.
const Value *Execution::communicator(const CallBase &Call, const MpiFunction &Mpi) {
  const Value *Comm = argument(Call, Mpi, "comm");
  Datum Is = Comm ? of(Comm) : Datum();
  bool IsObject = Is.What == Datum::Address && !Is.IsFloating && !Is.Value &&
                  (isa<GlobalVariable>(Is.Of.first) || View.Code.origin(Is.Of.first));
  return IsObject ? Is.Of.first : Comm;
}

bool Execution::isOfGroup(const CallBase &Call, const MpiFunction &Mpi) {
  if (const Value *Comm = communicator(Call, Mpi)) return Values.ranksOf(Comm) == Who.Comm;
  auto Key = window(Call, Mpi);
  auto Found = Key ? Made.Windows.find(*Key) : Made.Windows.end();
  return Found != Made.Windows.end() && Found->second.Group == Who.Comm;
}

// How many bytes come to a buffer at most; 0: that is not known.
int64_t Execution::bytesOfMessage(const CallBase &Call, const MpiFunction &Mpi, unsigned Parameter) {
  bool IsOne = Mpi.row().family == MCK_STD_FAMILY_P2P || Mpi.row().access == MCK_STD_ACCESS_GET;
  auto Count = Mpi.Parameters[Parameter].is("recvbuf") ? number(Call, Mpi, "recvcount") : std::nullopt;
  const Value *Type = Count ? argument(Call, Mpi, "recvtype") : nullptr;
  Datatype Element = Type ? describeDatatype(Type, View.Code, Values) : Datatype();
  return Element.isKnown() && *Count > 0 ? int64_t(Element.reach(uint64_t(IsOne ? *Count : *Count * Who.Size))) : 0;
}

// What MPI stores at once, or may store until the operation is complete.
void Execution::write(const CallBase &Call, const MpiFunction &Mpi) {
  for (unsigned At = 0; At < Mpi.Parameters.size(); ++At) {
    const Value *Address = Call.getArgOperand(At);
    const Parameter &P = Mpi.Parameters[At];
    if (P.is("request") || P.is("requests")) continue; // ExecutionRequests.cpp
    if (P.Way == Direction::IN || P.is("base") || !Address->getType()->isPointerTy()) continue;
    if (Datum To = of(Address); To.What == Datum::Address && !View.Code.origin(To.Of.first))
      forgetThrough(Address, bytesOfMessage(Call, Mpi, At));
  }
}

void Execution::callMpi(const CallBase &Call, const MpiFunction &Mpi) {
  const mck_std_fn &Row = Mpi.row();
  check(Call, Mpi);
  useBuffers(Call, Mpi);
  useRequests(Call, Mpi);
  write(Call, Mpi);
  if (Mpi.find("newwin") >= 0 && !mck_std_frees_window(Mpi.Number)) openWindow(Call, Mpi);
  if (Mpi.Number == MCK_FN_MPI_Win_shared_query)
    store(argument(Call, Mpi, "memory"), int64_t(Layout.getPointerSize()), querySegment(Call, Mpi));
  if (Mpi.isCollective()) meet(Call, Mpi);
  if (Mpi.find("color") >= 0 && Mpi.find("newcomm") >= 0) {
    const Value *Comm = communicator(Call, Mpi);
    if (Comm && Values.ranksOf(Comm) == Who.Comm) Made.Colors[&Call] = number(Call, Mpi, "color");
  }
  if (Row.access != MCK_STD_ACCESS_NONE) return operate(Call, Mpi);
  if (Row.family == MCK_STD_FAMILY_EPOCH) return synchronize(Call, Mpi);
  if (Mpi.isCollective()) {
    if (!isOfGroup(Call, Mpi) || Row.has_request) return order();
    begin();
    if (auto Freed = mck_std_frees_window(Mpi.Number) ? window(Call, Mpi) : std::nullopt) Windows.erase(*Freed);
    return;
  }
  if (Row.returns != MCK_STD_RETURNS_LOCAL || Row.family == MCK_STD_FAMILY_P2P || Row.family == MCK_STD_FAMILY_REQUEST)
    order();
}

// A call that may happen.
void Execution::skipMpi(const CallBase &Call, const MpiFunction &Mpi) {
  const mck_std_fn &Row = Mpi.row();
  write(Call, Mpi);
  if (isOfMessages(Mpi)) Made.AreMessagesKnown = false;
  if (Row.has_request || Mpi.find("request") >= 0 || Mpi.find("requests") >= 0) {
    loseRequests();
    for (StringRef Role : {"request", "requests"})
      if (const Value *Address = argument(Call, Mpi, Role)) forgetThrough(Address);
  }
  if (Row.access != MCK_STD_ACCESS_NONE) {
    if (mck_std_is_fetching(Mpi.Number) && Row.access != MCK_STD_ACCESS_GET) order();
    return;
  }
  if (Row.family == MCK_STD_FAMILY_EPOCH || Mpi.find("newwin") >= 0) IsLost = true;
  if (Mpi.isCollective()) {
    order();
    Phase = -1;
    IsWhole = false;
  } else if (Row.returns != MCK_STD_RETURNS_LOCAL || Row.family == MCK_STD_FAMILY_P2P ||
             Row.family == MCK_STD_FAMILY_REQUEST)
    order();
}

void Execution::openWindow(const CallBase &Call, const MpiFunction &Mpi) {
  WindowMemory Is;
  const Value *Comm = communicator(Call, Mpi), *Base = argument(Call, Mpi, "base");
  if (Comm) Is.Group = Values.ranksOf(Comm);
  Is.Unit = number(Call, Mpi, "disp_unit").value_or(0);
  Is.Size = number(Call, Mpi, "size").value_or(-1);
  int At = Mpi.find("base");
  if (At >= 0 && Mpi.Parameters[unsigned(At)].Way == Direction::OUT) {
    Is.Base = {Datum::Address, 0, {&Call, Times[&Call]}, false};
    store(Base, int64_t(Layout.getPointerSize()), Is.Base);
  } else if (Base) {
    Is.Base = of(Base);
  }
  if (Is.Base.IsFloating) Is.Base = {};
  ++Times[&Call];
  Made.Windows[{&Call, Times[&Call]}] = Is; // until its handle is given
}

Datum Execution::querySegment(const CallBase &Query, const MpiFunction &Mpi) {
  auto Window = window(Query, Mpi);
  auto Target = number(Query, Mpi, "target");
  auto Found = Window ? Made.Windows.find(*Window) : Made.Windows.end();
  if (Found == Made.Windows.end() || !Target || Found->second.Group != Who.Comm) return {};
  if (*Target == ProcNull) Target = 0; // the first process that has memory
  if (*Target < 0 || *Target >= Who.Size) return {};
  if (*Target == Who.Rank) return Found->second.Base;
  Datum Is = make(Query);
  Shared[Is.Of] = {*Window, int(*Target)};
  return Is;
}

void Execution::synchronize(const CallBase &Call, const MpiFunction &Mpi) {
  auto Key = window(Call, Mpi);
  auto Found = Key ? Windows.find(*Key) : Windows.end();
  if (Found == Windows.end()) { // of which one?
    IsLost = true;
    return;
  }
  State &S = Found->second;
  auto Target = number(Call, Mpi, "target");
  switch (mck_std_epoch_call(Mpi.Number)) {
  case MCK_STD_CALL_FENCE:
    ++S.Epoch;
    if (!isOfGroup(Call, Mpi)) return order();
    return begin();
  case MCK_STD_CALL_LOCK:
    if (mck_std_is_to_all(Mpi.Number)) {
      S.IsLockedAll = true;
    } else if (auto Type = number(Call, Mpi, "lock_type"); Target && Type) {
      S.Locks[*Target] = *Type == MCK_LOCK_EXCLUSIVE ? MCK_CONFLICT_EXCLUSIVE : MCK_CONFLICT_SHARED;
    } else {
      S.IsOther = true;
    }
    return;
  case MCK_STD_CALL_UNLOCK:
    if (mck_std_is_to_all(Mpi.Number)) S.IsLockedAll = false;
    else if (Target) S.Locks.erase(*Target);
    return;
  case MCK_STD_CALL_FLUSH: return;
  case MCK_STD_CALL_START:
  case MCK_STD_CALL_POST: return open(S, *Key, Call, Mpi);
  case MCK_STD_CALL_COMPLETE:
  case MCK_STD_CALL_WAIT: return close(S, Mpi);
  default: order(); // MPI_Win_sync, too: it may belong to a flag that another process sets
  }
}

// The operation of an accumulate as the matrix wants it.
static uint8_t operationOf(const Value *Operation, const MpiFunction &Mpi) {
  if (Mpi.row().access == MCK_STD_ACCESS_COMPARE_AND_SWAP) return MCK_CONFLICT_CAS;
  static const Value *Seen[200];
  const auto *Variable = Operation ? dyn_cast<GlobalVariable>(Operation) : nullptr;
  if (!Variable) return MCK_CONFLICT_UNKNOWN_OP;
  if (Variable->getName() == "ompi_mpi_op_no_op") return MCK_CONFLICT_NO_OP;
  for (uint8_t I = 0; I < 200; ++I) {
    if (!Seen[I]) Seen[I] = Variable;
    if (Seen[I] == Variable) return uint8_t(MCK_CONFLICT_FIRST_OP + I);
  }
  return MCK_CONFLICT_UNKNOWN_OP;
}

static uint8_t kindOf(const MpiFunction &Mpi) {
  switch (Mpi.row().access) {
  case MCK_STD_ACCESS_PUT: return MCK_CONFLICT_PUT;
  case MCK_STD_ACCESS_GET: return MCK_CONFLICT_GET;
  default: return MCK_CONFLICT_ACCUMULATE;
  }
}

void Execution::operate(const CallBase &Call, const MpiFunction &Mpi) {
  auto Key = window(Call, Mpi);
  auto Found = Key ? Windows.find(*Key) : Windows.end();
  auto Target = number(Call, Mpi, "target"), Displacement = number(Call, Mpi, "target_disp");
  bool IsFetching = mck_std_is_fetching(Mpi.Number) && Mpi.row().access != MCK_STD_ACCESS_GET;
  if (IsFetching) order(); // locks are made of these
  if (Found == Windows.end() || Found->second.IsOther || !Target || !Displacement) return;
  const WindowMemory &Window = Made.Windows[*Key];
  if (Window.Group != Who.Comm || *Target == ProcNull) return;
  if (*Target < 0 || *Target >= Who.Size) {
    Made.IsEnded = true; // no program for so many processes
    return;
  }
  State &S = Found->second;
  if (!S.Locks.empty() && !S.Locks.count(*Target) && !S.IsLockedAll && !S.Epoch && S.Targets.empty())
    fault(Call, "rma.outside-epoch",
          Mpi.Name + " to a target that is not locked: of " + Twine(Who.Size) + " ranks, rank " + Twine(Who.Rank) +
              " accesses the memory of rank " + Twine(*Target) + ", and has locked that of rank " +
              Twine(S.Locks.begin()->first));
  const Value *Type = argument(Call, Mpi, "target_type");
  if (!Type) Type = argument(Call, Mpi, "type");
  Datatype Element = Type ? describeDatatype(Type, View.Code, Values) : Datatype();
  int64_t Count = Mpi.find("target_count") >= 0 ? number(Call, Mpi, "target_count").value_or(0) : 1;
  bool HasHoles = Element.Extent != Element.Reach ||
                  (Element.Kind && Element.Numbers * (Element.Kind >> 8) != Element.Reach);
  if (Count <= 0 || !Element.isKnown() || HasHoles || Made.Accesses.size() >= MostAccesses) return;
  Access Is{
      &Call, {}, *Key, int(*Target), *Displacement, Count * int64_t(Element.Extent), -1, Phase, Made.Accesses.size()};
  Is.What.lock = S.lockOf(*Target);
  if (S.Targets.count(int(*Target))) {
    Is.Start = S.Starts[int(*Target)];
    for (int Other : S.Targets) Is.Targets.push_back({Other, S.Starts[Other]});
  } else if (Is.What.lock == MCK_CONFLICT_UNLOCKED) {
    Is.Epoch = S.Epoch;
  }
  Is.Learned = Learned;
  Is.What.kind = kindOf(Mpi), Is.What.is_fetching = IsFetching, Is.What.type = Element.Kind;
  Is.What.op = operationOf(argument(Call, Mpi, "op"), Mpi);
  if (Is.What.kind == MCK_CONFLICT_ACCUMULATE && !Element.Kind) return;
  Is.What.process = uint32_t(Who.Rank);
  Made.Accesses.push_back(Is);
}

// A load or store of the own window memory.
void Execution::touch(const Instruction &I, const Value *Address, int64_t Size, bool IsWriting, bool IsPolling) {
  if (Windows.empty() && Operations.empty()) return;
  Datum At = of(Address);
  use(I, At, Size, IsWriting, IsWriting ? "a store to " : "a load from ");
  if (Made.Accesses.size() >= MostAccesses) return;
  if (At.What != Datum::Address || At.IsFloating) return;
  for (auto &[Key, S] : Windows) {
    const WindowMemory &Window = Made.Windows[Key];
    if (Window.Group != Who.Comm || Window.Base.What != Datum::Address || Window.Base.Of != At.Of || S.IsOther)
      continue;
    int64_t Low = At.Value - Window.Base.Value;
    if (Low < 0 || (Window.Size >= 0 && Low + Size > Window.Size)) continue;
    Access Is{&I, {}, Key, Who.Rank, Low, Low + Size, -1, Phase, Made.Accesses.size()};
    Is.What.kind = IsWriting ? MCK_CONFLICT_STORE : MCK_CONFLICT_LOAD;
    Is.What.lock = S.lockOf(Who.Rank);
    Is.What.is_polling = IsPolling, Is.What.process = uint32_t(Who.Rank);
    Is.Learned = Learned;
    if (S.Exposure >= 0) Is.Exposure = S.Exposure, Is.Told = Told;
    else if (Is.What.lock == MCK_CONFLICT_UNLOCKED) Is.Epoch = S.Epoch;
    Made.Accesses.push_back(Is);
  }
  auto Segment = Shared.find(At.Of);
  auto Found = Segment == Shared.end() ? Windows.end() : Windows.find(Segment->second.first);
  if (Found == Windows.end() || Found->second.IsOther) return;
  int Target = Segment->second.second;
  Access Is{&I, {}, Found->first, Target, At.Value, At.Value + Size, Found->second.Epoch, Phase, Made.Accesses.size()};
  Is.What.kind = IsWriting ? MCK_CONFLICT_STORE : MCK_CONFLICT_LOAD;
  Is.What.lock = Found->second.lockOf(Target);
  Is.What.is_polling = IsPolling, Is.What.process = uint32_t(Who.Rank), Is.Learned = Learned;
  Made.Accesses.push_back(Is);
}
