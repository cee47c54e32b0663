// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the addresses of a request and its buffers were loaded from, and who stores another address or index there: a
// list that grows, a pair of buffers that change places. From then on the same expression is another place
// (PendingOperation.h).
#include "static/state/PendingOperation.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

// The loads that an address is computed from.
ArrayRef<const LoadInst *> PendingOperation::loadsOf(const Value *Address) {
  auto [Known, IsNew] = LoadsOf.try_emplace(Address);
  if (IsNew)
    for (const Value *Leaf : View.Numbers.leaves(View.Numbers.of(Address)))
      if (const auto *Load = dyn_cast<LoadInst>(Leaf)) Known->second.push_back(Load);
  return Known->second;
}

bool PendingOperation::mayMove(const StoreInst &Store) {
  const Type *Stored = Store.getValueOperand()->getType();
  return any_of(Start.args(), [&](const Use &Argument) {
    return Argument->getType()->isPointerTy() &&
           any_of(loadsOf(Argument), [&](const LoadInst *Load) { return Load->getType() == Stored; });
  });
}

// Does a function of the program change pointers, beside its own variables? What it calls that is not known may.
bool PendingOperation::storesPointers(const Function &F, unsigned Depth) {
  if (F.isDeclaration()) return reachOfName(F) != Reach::Nothing;
  if (Depth > 4) return true;
  return any_of(instructions(F), [&](const Instruction &I) {
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      return Store->getValueOperand()->getType()->isPointerTy() &&
             !isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()));
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(I)) return false;
    const Function *Callee = Call->getCalledFunction();
    return !Callee || (Callee != &F && storesPointers(*Callee, Depth + 1));
  });
}

// May the instruction change what the load would give?
bool PendingOperation::changes(const Instruction &I, const LoadInst &Load, const Node &N, PathWalk &Walk) {
  int64_t Size = int64_t(Walk.Memories.layout().getTypeStoreSize(Load.getType()));
  auto MeetsLoad = [&](const Value *Address, int64_t Length) {
    return Walk.Memories.meet(Walk.Memories.of(Address, N.Known), Length,
                              Walk.Memories.of(Load.getPointerOperand(), N.Known), Size, N.Known);
  };
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getValueOperand()->getType() == Load.getType() &&
           MeetsLoad(Store->getPointerOperand(), Size) != Meeting::Never;
  if (const auto *Fill = dyn_cast<AnyMemIntrinsic>(&I)) {
    Range Length = Walk.Thinker.rangeOf(Fill->getLength(), N.Known);
    return MeetsLoad(Fill->getDest(), Length.Low > 0 ? Length.Low : 0) == Meeting::Surely;
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(I) || findMpi(*Call) || View.Code.origin(Call) || !Load.getType()->isPointerTy() ||
      !Call->mayWriteToMemory() || Call->onlyAccessesInaccessibleMemory())
    return false;
  if (Walk.Memories.isPrivate(getUnderlyingObject(Load.getPointerOperand()))) return false;
  const Function *Callee = Call->getCalledFunction();
  if (!Callee) return true;
  if (Callee->isDeclaration() && reachOfName(*Callee) == Reach::Nothing) // it may write to what it gets
    return any_of(Call->args(), [&](const Use &Argument) {
      return Argument->getType()->isPointerTy() && !Call->onlyReadsMemory(Call->getArgOperandNo(&Argument)) &&
             Walk.Memories.sameObject(getUnderlyingObject(Argument), getUnderlyingObject(Load.getPointerOperand())) ==
                 Meeting::Surely;
    });
  auto [Known, IsNew] = PointerStores.try_emplace(Callee, false);
  if (IsNew) PointerStores[Callee] = storesPointers(*Callee, 0);
  return PointerStores[Callee];
}

void PendingOperation::move(const Instruction &I, Node &N, PathWalk &Walk) {
  if (!isa<StoreInst>(I) && !isa<CallBase>(I)) return;
  auto Look = [&](int64_t &Offset, unsigned Parameter) {
    if (Offset == Stale) return;
    const Value *Address = Start.getArgOperand(Parameter);
    if (Offset != Unknown) Address = getUnderlyingObject(Address); // the offset is a number
    if (any_of(loadsOf(Address), [&](const LoadInst *Load) { return changes(I, *Load, N, Walk); })) Offset = Stale;
  };
  if (What.row().has_request && !N.State[ObjectAt]) Look(N.State[SlotAt], unsigned(requestOf(What)));
  for (unsigned Which : {BufferAt, Buffer2At})
    if (N.State[Which] != Stale)
      Look(N.State[Which], Buffers[size_t(N.State[Which == BufferAt ? WhichAt : Which2At])].Parameter);
}

// Does a condition ask for the object that has the request's address, and may its ways store another one there? A list
// that grows if it is full is another one then, in a way that is not seen.
bool PendingOperation::asksForMoved(unsigned At, const Node &N, PathWalk &Walk) {
  if (!What.row().has_request || N.State[SlotAt] == Stale) return false;
  const auto *Branch = dyn_cast<BranchInst>(View.Ways.block(At)->getTerminator());
  ArrayRef<const LoadInst *> Own = loadsOf(Start.getArgOperand(unsigned(requestOf(What))));
  if (!Branch || Own.empty()) return false;
  auto BaseOf = [](const LoadInst *Load) { return getUnderlyingObject(Load->getPointerOperand()); };
  SmallPtrSet<const Value *, 16> Sources;
  View.sources(Branch->getCondition(), Sources);
  bool AsksForOwn = any_of(Sources, [&](const Value *Source) {
    const auto *Asked = dyn_cast<LoadInst>(Source);
    return Asked && any_of(Own, [&](const LoadInst *Load) {
             return Walk.Memories.sameObject(BaseOf(Asked), BaseOf(Load)) == Meeting::Surely;
           });
  });
  return AsksForOwn && any_of(View.region(At).set_bits(), [&](unsigned Block) {
           return any_of(*View.Ways.block(Block), [&](const Instruction &I) {
             return any_of(Own, [&](const LoadInst *Load) { return changes(I, *Load, N, Walk); });
           });
         });
}
