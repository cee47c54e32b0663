// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who touches the buffers of an operation before it is complete (PendingOperation.h).
#include "static/state/PendingOperation.h"
#include "static/state/RootRole.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

// Buffers are in use while the operation is active. Their places are those at its beginning, where they are numbers.
std::optional<CallBuffer> PendingOperation::buffer(unsigned Which, const Node &N, PathWalk &Walk) const {
  int64_t Offset = N.State[Which ? Buffer2At : BufferAt];
  if (N.State[PhaseAt] != Active || Offset == Stale) return std::nullopt;
  CallBuffer Found = Buffers[size_t(N.State[Which ? Which2At : WhichAt])];
  bool MayBeUnused = !Found.IsSettled; // what came since decides
  if (MayBeUnused && isUnused(Start, What, Found.Parameter, Walk.Thinker, N.Known)) return std::nullopt;
  if (Offset != Unknown) Found.At.Offset = Sum{{}, {Offset, Offset}};
  else Found.At = Walk.Memories.of(Start.getArgOperand(Found.Parameter), N.Known);
  Found.Length = N.State[Which ? Length2At : LengthAt];
  bool IsBroadcast = What.row().flow == MCK_STD_FLOW_BROADCAST;
  if (!Found.IsOfRoot && !IsBroadcast) return Found;
  std::optional<bool> IsRoot = isRoot(Start, What, View, Walk.Thinker, N.Known);
  // Without a rank it may be either. Each rank is looked at afterwards.
  if (Found.IsOfRoot && !IsRoot.value_or(Walk.isFirst())) return std::nullopt;
  if (IsBroadcast && !IsRoot && Walk.isFirst()) IsRoot = false;
  if (IsBroadcast && IsRoot) Found.IsRead = *IsRoot, Found.IsWritten = !*IsRoot; // the root sends, others receive
  return Found;
}

void PendingOperation::conflict(StringRef Kind, const Instruction &I, std::string Text, Node &N) {
  warn(Kind, &I, std::move(Text), {{&Start, "in use since this " + What.Name.str()}});
  N.IsDead = true;
}

// What a call stores into a buffer that has become a value: nothing without data, and who it is for depends on the
// root.
bool PendingOperation::mayLeaveAlone(const Instruction &I, const Node &N, PathWalk &Walk) const {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const Origin *From = Store ? View.Code.origin(Store->getValueOperand()) : nullptr;
  if (!From || !(From->Function->row().buffers_out >> From->Parameter & 1)) return false;
  if (isUnused(*From->Call, *From->Function, From->Parameter, Walk.Thinker, N.Known)) return true;
  auto IsRoot = [&] { return isRoot(*From->Call, *From->Function, View, Walk.Thinker, N.Known); };
  switch (From->Function->row().flow) {
  case MCK_STD_FLOW_BROADCAST: return IsRoot().value_or(!Walk.isFirst());
  case MCK_STD_FLOW_REDUCE:
  case MCK_STD_FLOW_GATHER: return !IsRoot().value_or(Walk.isFirst());
  default: return false;
  }
}

void PendingOperation::touch(const Instruction &I, const Place &At, int64_t Length, bool IsWrite, Node &N,
                             PathWalk &Walk) {
  if (!Walk.isSure(I) || mayLeaveAlone(I, N, Walk)) return;
  for (unsigned Which : {0, 1}) {
    auto B = buffer(Which, N, Walk);
    if (!B || (!IsWrite && (B->IsRead || !B->IsWritten))) continue;
    if (Walk.Memories.meet(At, Length, B->At, B->Length, N.Known) != Meeting::Surely) continue;
    bool IsCall = isa<CallBase>(I) && !isa<IntrinsicInst>(I);
    std::string What1 = IsCall    ? IsWrite ? "a function stores to " : "a function loads from "
                        : IsWrite ? "a store to "
                                  : "a load from ";
    conflict(isRma()   ? "rma.race-local"
             : IsWrite ? "buffer.modified-in-use"
                       : "buffer.read-in-use",
             I, What1 + "the buffer of " + What.Name.str() + " before the operation is complete", N);
    return;
  }
}

// A function that was not inlined gets the buffer.
void PendingOperation::touchByCallee(const CallBase &Call, Node &N, PathWalk &Walk) {
  ArrayRef<unsigned> Sizes;
  ArrayRef<CalleeAccess> All = View.Code.callees().of(Call, Sizes);
  if (any_of(Sizes, [&](unsigned Size) { return Walk.Thinker.rangeOf(Call.getArgOperand(Size), N.Known).High <= 0; }))
    return;
  for (const CalleeAccess &A : All) {
    if (N.IsDead) return;
    int64_t Bytes = A.Bytes;
    if (A.Length) {
      Range Length = Walk.Thinker.rangeOf(A.Length, N.Known);
      if (Length.High <= 0) continue;
      Bytes = Length.Low > 0 && Length.Low < INT32_MAX ? Length.Low : 0;
    }
    Place At = Walk.Memories.of(A.Address ? A.Address : Call.getArgOperand(A.Argument), N.Known);
    At.Offset.Rest = At.Offset.Rest + Range{A.Offset, A.Offset};
    touch(Call, At, Bytes, A.IsStore, N, Walk);
  }
}

void PendingOperation::touchByCopy(const Instruction &I, Node &N, PathWalk &Walk) {
  const auto &Copy = cast<AnyMemIntrinsic>(I);
  Range Length = Walk.Thinker.rangeOf(Copy.getLength(), N.Known);
  if (Length.High <= 0) return;
  int64_t Bytes = Length.Low > 0 ? Length.Low : 0;
  if (meetsSlot(Copy.getDest(), Bytes, N, Walk) != Meeting::Never) N.IsDead = true;
  const auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
  if (Transfer && meetsSlot(Transfer->getSource(), Bytes, N, Walk) != Meeting::Never) N.IsDead = true;
  if (!N.IsDead) touch(I, Walk.Memories.of(Copy.getDest(), N.Known), Bytes, true, N, Walk);
  if (!N.IsDead && Transfer) touch(I, Walk.Memories.of(Transfer->getSource(), N.Known), Bytes, false, N, Walk);
}

// Another call reads or writes bytes that this operation uses (MPI-3.1 2.3, 3.7.2).
void PendingOperation::touchByCall(const CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk) {
  if (Other.row().persistent == Other.Number) return; // it uses nothing before it is started
  auto Theirs = buffersOf(Call, Other, Walk.Thinker, Walk.Memories, N.Known);
  for (unsigned Which : {0, 1}) {
    auto B = buffer(Which, N, Walk);
    if (!B) continue;
    for (const CallBuffer &Their : Theirs) {
      bool AreWriting = Their.IsRead && Their.IsWritten ? B->IsWritten && !B->IsRead : B->IsWritten || Their.IsWritten;
      if (B->IsRead && B->IsWritten) AreWriting = Their.IsWritten && !Their.IsRead;
      if (!AreWriting || Walk.Memories.meet(Their.At, Their.Length, B->At, B->Length, N.Known) != Meeting::Surely)
        continue;
      bool IsRmaToo = isRma() || Other.row().access != MCK_STD_ACCESS_NONE;
      conflict(IsRmaToo ? "rma.race-local" : "buffer.overlap", Call,
               Other.Name.str() + " uses the buffer of " + What.Name.str() + " before the operation is complete", N);
      return;
    }
  }
}

// free, or the end of the block that a variable belongs to.
void PendingOperation::endOfMemory(const Instruction &I, const Value *Address, Node &N, PathWalk &Walk) {
  const Value *Base = getUnderlyingObject(Address);
  if (What.row().has_request && Walk.Memories.sameObject(Base, slot(N, Walk).Base) == Meeting::Surely) {
    if (N.State[CopiedAt]) return; // the copy is still there
    if (N.State[PhaseAt] == Active && Walk.Memories.isPrivate(Base)) lose(I, N, Walk);
    N.IsDead = true;
    return;
  }
  // The request's own end right behind comes to the same.
  if (What.row().has_request && !N.State[CopiedAt])
    for (const Instruction *Next = &I; Next && isa<CallBase>(Next); Next = Next->getNextNode()) {
      if (!cast<CallBase>(Next)->isLifetimeStartOrEnd()) break;
      if (cast<CallBase>(Next)->getArgOperand(1)->stripPointerCasts() == slot(N, Walk).Base) return;
    }
  for (unsigned Which : {0, 1}) {
    auto B = buffer(Which, N, Walk);
    if (!B || Walk.Memories.sameObject(Base, B->At.Base) != Meeting::Surely) continue;
    bool IsFree = !cast<CallBase>(I).isLifetimeStartOrEnd();
    std::string Text = IsFree ? "the buffer of " + What.Name.str() + " is freed before the operation is complete"
                              : "the buffer of " + What.Name.str() +
                                    " is a local variable that ends before the operation is complete";
    if (IsFree) conflict(isRma() ? "rma.race-local" : "buffer.modified-in-use", I, Text, N);
    else {
      warn(isRma() ? "rma.race-local" : "buffer.modified-in-use", &Start, Text, {{&I, "here it ends"}});
      N.IsDead = true;
    }
    return;
  }
}
