// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of one process (Execution.h).
#include "static/spmd/Execution.h"
#include "static/Datatype.h"
#include "static/ScalarType.h"
#include "static/state/EpochCall.h"
#include "static/state/HandleSort.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

static Datum constant0() { return {Datum::Number, 0, {}, false}; }

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
    if (auto Is = given(Call, *From)) Known[&Call] = *Is;
    else Known[&Call] = IsObject ? make(Call) : ofTable(&Call);
    if (IsObject) noteObject(*From, Known[&Call]);
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
  if (auto From = View.Code.scanned(&Call); From.first) {
    auto Found = Scans.find(From);
    Known[&Call] = Found == Scans.end() ? ofTable(&Call) : Found->second;
    return;
  }
  if (const MpiFunction *Mpi = findMpi(Call)) {
    Known[&Call] = Mpi->row().has_code ? constant0() : Datum(); // that it fails is none of the program's ways
    return callMpi(Call, *Mpi);
  }
  if (isAllocation(&Call)) {
    Known[&Call] = make(Call);
    int64_t Size = sizeOfAllocation(Call);
    if (Size) Sizes[Known[&Call].Of] = Size;
    if (Call.getCalledFunction()->getName() == "calloc") Memory.clearToZero(Known[&Call], Size);
    return;
  }
  if (const auto *Set = dyn_cast<MemSetInst>(&Call)) {
    Datum To = of(Set->getDest()), What = of(Set->getValue()), Size = of(Set->getLength());
    if (To.What == Datum::Address && !isa<Argument>(To.Of.first) && What == constant0() && Size.What == Datum::Number) {
      use(Call, To, Size.Value, true, "zeros to ");
      return Memory.clearToZero(To, Size.Value);
    }
  }
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    Datum To = of(Copy->getDest()), From = of(Copy->getSource()), Size = of(Copy->getLength());
    if (To.What == Datum::Address && From.What == Datum::Address && Size.What == Datum::Number) {
      use(Call, To, Size.Value, true, "a copy to ");
      use(Call, From, Size.Value, false, "a copy from ");
      readConstant(From.Of.first);
      return Memory.copy(To, From, Size.Value);
    }
  }
  if (enlarge(Call)) return;
  if (auto Is = computeText(Call)) {
    Known[&Call] = *Is;
    return;
  }
  if (!Call.getType()->isVoidTy()) {
    Datum Is = answer(Call);
    if (Is.What == Datum::Unknown) Is = computeCall(Call);
    Known[&Call] = Is.What == Datum::Unknown ? ofTable(&Call) : Is;
  }
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
  const Function *Callee = Call.getCalledFunction();
  if (Call.isLifetimeStartOrEnd() || (Callee && leavesMemory(*Callee))) return;
  if (mayCopy(Call, View.Code))
    for (const Use &Argument : Call.args())
      if (Argument->getType()->isPointerTy()) shareRequestsIn(Argument);
  for (const Use &Argument : Call.args())
    if (Argument->getType()->isPointerTy() && !Call.onlyReadsMemory(Call.getArgOperandNo(&Argument)))
      forgetThrough(Argument);
  if (View.Code.mayReachMpi(Call)) return meetUnknown();
  if (Callee && !isClock(*Callee) && (!Callee->isDeclaration() || View.Code.isQuiet(*Callee))) forgetShared();
}

// It may call MPI, too.
void Execution::meetUnknown() {
  forgetShared();
  Phase = -1;
  IsWhole = Made.AreMessagesKnown = Made.AreObjectsKnown = false;
  leave();
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

bool Execution::isWorldOf(const Value *Handle) {
  if (Values.ranksOf(Handle) == Who.Comm) return true;
  auto C = commOf(Handle);
  return C && Others->members(*C) == Others->members(Exchange::World);
}

bool Execution::isOfGroup(const CallBase &Call, const MpiFunction &Mpi) {
  if (const Value *Comm = communicator(Call, Mpi)) return isWorldOf(Comm);
  auto Key = window(Call, Mpi);
  auto Found = Key ? Made.Windows.find(*Key) : Made.Windows.end();
  return Found != Made.Windows.end() && Found->second.Group == Who.Comm;
}

// How many bytes come to a buffer at most; 0: that is not known.
int64_t Execution::bytesOfMessage(const CallBase &Call, const MpiFunction &Mpi, unsigned Parameter) {
  int Blocks = Mpi.row().access == MCK_STD_ACCESS_GET ? 1 : countBlocks(Mpi, false, true, Who.Size);
  auto Count = Mpi.Parameters[Parameter].is("recvbuf") ? number(Call, Mpi, "recvcount") : std::nullopt;
  const Value *Type = Count ? argument(Call, Mpi, "recvtype") : nullptr;
  Datatype Element = Type ? describeDatatype(Type, View.Code, Values) : Datatype();
  return Element.isKnown() && *Count > 0 && Blocks ? int64_t(Element.reach(uint64_t(*Count * Blocks))) : 0;
}

// One number or handle, no array of them.
static bool isOneResult(const Parameter &P) {
  static constexpr StringRef Roles[] = {"result",   "flag",   "outcount", "index",   "newcomm", "newtype",
                                        "newgroup", "newwin", "newfile",  "newinfo", "newop",   "newaddress"};
  return any_of(Roles, [&](StringRef Role) { return P.is(Role); });
}

// What MPI stores at once, or may store until the operation is complete.
void Execution::write(const CallBase &Call, const MpiFunction &Mpi) {
  for (unsigned At = 0; At < Mpi.Parameters.size(); ++At) {
    const Value *Address = Call.getArgOperand(At);
    const Parameter &P = Mpi.Parameters[At];
    if (P.is("request") || P.is("requests")) continue; // ExecutionRequests.cpp
    if (P.is("recvbuf") && (number(Call, Mpi, "source") == ProcNull || number(Call, Mpi, "recvcount") == 0)) continue;
    if (P.Way == Direction::IN || P.is("base") || !Address->getType()->isPointerTy()) continue;
    Type *One = isOneResult(P) ? declaredScalar(P, Call.getContext()) : nullptr;
    int64_t Bytes = One ? int64_t(Layout.getTypeStoreSize(One)) : P.is("memory") ? int64_t(Layout.getPointerSize()) : 0;
    if (Datum To = of(Address); To.What == Datum::Address && !View.Code.origin(To.Of.first))
      forgetThrough(Address, Bytes ? Bytes : bytesOfMessage(Call, Mpi, At));
  }
}

void Execution::callMpi(const CallBase &Call, const MpiFunction &Mpi) {
  const mck_std_fn &Row = Mpi.row();
  if (!IsArrived) {
    bool IsInit = Mpi.Number == MCK_FN_MPI_Init || Mpi.Number == MCK_FN_MPI_Init_thread; // init.twice
    if (IsInit) Finalized = nullptr;
    if (Finalized && !Row.is_anytime)
      fault(Call, "init.after", Mpi.Name + " is called after MPI_Finalize", std::nullopt, Finalized);
    if (Mpi.Number == MCK_FN_MPI_Finalize) Finalized = &Call;
    check(Call, Mpi);
    useBuffers(Call, Mpi);
  }
  if (!join(Call, Mpi)) return;
  IsArrived = false;
  useRequests(Call, Mpi);
  take(Call, Mpi);
  write(Call, Mpi);
  deliver();
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
  if (Mpi.isCollective() || Row.family == MCK_STD_FAMILY_P2P || Row.family == MCK_STD_FAMILY_REQUEST) leave();
  if (isOfMessages(Mpi)) Made.AreMessagesKnown = false;
  if (freesObject(Mpi)) Made.AreObjectsKnown = false;
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
