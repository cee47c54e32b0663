// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one process does with windows: epochs, operations, loads and stores of their memory (Execution.h).
#include "static/Datatype.h"
#include "static/spmd/Execution.h"
#include "static/state/EpochCall.h"

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostAccesses = 400;

void Execution::openWindow(const CallBase &Call, const MpiFunction &Mpi) {
  WindowMemory Is;
  const Value *Comm = communicator(Call, Mpi), *Base = argument(Call, Mpi, "base");
  if (Comm) Is.Group = isWorldOf(Comm) ? Who.Comm : Values.ranksOf(Comm);
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
  if (Others && mck_std_epoch_call(Mpi.Number) != MCK_STD_CALL_FENCE) Others->loseOrder();
  switch (mck_std_epoch_call(Mpi.Number)) {
  case MCK_STD_CALL_FENCE:
    if (S.isLocked()) // (MPI-3.1 11.5: the epochs of a window are disjoint)
      fault(Call, "rma.epoch-mixed", "MPI_Win_fence within an epoch of " + findMpi(*S.Holder)->Name, std::nullopt,
            S.Holder);
    ++S.Epoch;
    if (!isOfGroup(Call, Mpi)) return order();
    return begin();
  case MCK_STD_CALL_LOCK:
    if (S.IsLockedAll || (S.isLocked() && (mck_std_is_to_all(Mpi.Number) || (Target && S.Locks.count(*Target)))))
      fault(Call, "rma.lock-twice",
            Mpi.Name + (S.IsLockedAll                   ? " while MPI_Win_lock_all holds all targets"
                        : mck_std_is_to_all(Mpi.Number) ? " while MPI_Win_lock holds a target"
                                                        : " of a target that this process has locked already"),
            std::nullopt, S.Holder);
    S.Holder = &Call;
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
  default:
    // Whoever waits for a flag of another process loads it in a loop, which is passed over. MPI_Win_sync tells nobody.
    if (Mpi.Number != MCK_FN_MPI_Win_sync) order();
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
  if (Count <= 0 || !Element.isDense() || Made.Accesses.size() >= MostAccesses) return;
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

// In a loop over an array one access goes on where the last one of the instruction ended.
void Execution::addTouch(const Access &Is) {
  constexpr size_t Near = 4;
  std::vector<Access> &All = Made.Accesses;
  for (size_t Back = 1; Back <= std::min(Near, All.size()); ++Back) {
    Access &Old = All[All.size() - Back];
    if (Old.At != Is.At || Old.Window != Is.Window || Old.Target != Is.Target || Old.High != Is.Low) continue;
    bool IsSame = Old.Epoch == Is.Epoch && Old.Phase == Is.Phase && Old.Learned == Is.Learned &&
                  Old.Exposure == Is.Exposure && Old.Told == Is.Told && Old.What.lock == Is.What.lock;
    if (IsSame) return void(Old.High = Is.High);
  }
  if (All.size() < MostAccesses) All.push_back(Is);
}

// A load or store of the own window memory.
void Execution::touch(const Instruction &I, const Value *Address, int64_t Size, bool IsWriting, bool IsPolling) {
  if ((Windows.empty() && Operations.empty()) || storesNothing(I)) return;
  Datum At = of(Address);
  use(I, At, Size, IsWriting, IsWriting ? "a store to " : "a load from ");
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
    addTouch(Is);
  }
  auto Segment = Shared.find(At.Of);
  auto Found = Segment == Shared.end() ? Windows.end() : Windows.find(Segment->second.first);
  if (Found == Windows.end() || Found->second.IsOther) return;
  int Target = Segment->second.second;
  Access Is{&I, {}, Found->first, Target, At.Value, At.Value + Size, Found->second.Epoch, Phase, Made.Accesses.size()};
  Is.What.kind = IsWriting ? MCK_CONFLICT_STORE : MCK_CONFLICT_LOAD;
  Is.What.lock = Found->second.lockOf(Target);
  Is.What.is_polling = IsPolling, Is.What.process = uint32_t(Who.Rank), Is.Learned = Learned;
  addTouch(Is);
}
