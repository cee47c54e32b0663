// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the uses of a variable of statuses, and the paths from a call to them (StatusVariable.h).
#include "StatusVariable.h"
#include "Asks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::StatusBecomes;
using mck::StatusParameter;
using mck::StatusPlace;
using mck::StatusVariable;

static constexpr StatusParameter Parameters[] = {
#define MCK_STATUS(Name, Count, Place, What, Source, Tag) {#Name, Count, Place, StatusBecomes::What, Source, Tag},
#include "api/statuses.inc"
#undef MCK_STATUS
};

// Fortran's statuses are arrays of integers, whose parts are other ones.
const StatusParameter *mck::findStatusParameter(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration()) return nullptr;
  mck::MpiName Mpi = mck::nameOfMpi(Callee->getName());
  if (Mpi.Name.empty() || Mpi.IsFortran) return nullptr;
  for (const StatusParameter &P : Parameters)
    if (P.Name == Mpi.Name)
      return Call->arg_size() == P.Count && Call->getArgOperand(P.Place)->getType()->isPointerTy() ? &P : nullptr;
  return nullptr;
}
// --- uses ---
StatusVariable::StatusVariable(const Value &Object, const DataLayout &Layout, const Function *Only)
    : Object(Object), Layout(Layout), Only(Only) {
  IsKnown = hasStatuses() && follow();
}

bool StatusVariable::hasStatuses() const {
  Type *T = nullptr;
  if (const auto *Local = dyn_cast<AllocaInst>(&Object); Local && !Local->isArrayAllocation())
    T = Local->getAllocatedType();
  if (const auto *Global = dyn_cast<GlobalVariable>(&Object);
      Global && Global->hasLocalLinkage() && !Global->isExternallyInitialized())
    T = Global->getValueType();
  TypeSize Size = T ? Layout.getTypeAllocSize(T) : TypeSize::getFixed(0);
  return !Size.isScalable() && Size.getFixedValue() && Size.getFixedValue() % MCK_STATUS_BYTES == 0;
}

bool StatusVariable::follow() {
  SmallPtrSet<const Value *, 16> Seen;
  unsigned Steps = 0;
  constexpr unsigned Large = 2000;
  Work.push_back({&Object, StatusPlace()});
  while (!Work.empty()) {
    auto [V, At] = Work.pop_back_val();
    if (!Seen.insert(V).second) continue;
    for (const Use &U : V->uses())
      if (++Steps > Large || !look(U, At)) return false;
  }
  return true;
}

bool StatusVariable::look(const Use &U, StatusPlace At) {
  const User *By = U.getUser();
  if (const auto *Pointer = dyn_cast<GEPOperator>(By)) return U.getOperandNo() == 0 && lookAtPart(*Pointer, At);
  if (isa<BitCastOperator>(By) || isa<AddrSpaceCastOperator>(By)) {
    Work.push_back({By, At});
    return true;
  }
  const auto *I = dyn_cast<Instruction>(By);
  if (!I) return false;
  if (Only && I->getFunction() != Only) return true;
  if (isa<CmpInst>(I)) return true;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    read(*I, At, Layout.getTypeStoreSize(Load->getType()));
    return true;
  }
  if (const auto *Store = dyn_cast<StoreInst>(I)) {
    IsWritten = true;
    return U.getOperandNo() == StoreInst::getPointerOperandIndex() && Store->isSimple();
  }
  const auto *Call = dyn_cast<CallBase>(I);
  return Call && Call->isArgOperand(&U) && lookAtCall(*Call, Call->getArgOperandNo(&U), At);
}

bool StatusVariable::lookAtPart(const GEPOperator &Pointer, StatusPlace At) {
  APInt Constant(Layout.getIndexTypeSizeInBits(Pointer.getType()), 0);
  MapVector<Value *, APInt> Variables;
  if (!Pointer.collectOffset(Layout, Constant.getBitWidth(), Variables, Constant)) return false;
  for (const auto &Scaled : Variables) {
    if (Scaled.second.getSExtValue() % MCK_STATUS_BYTES) return false;
    At.IsExact = false;
  }
  At.Offset += Constant.getSExtValue();
  if (At.Offset < 0 && At.IsExact) return false;
  if (!At.IsExact) At.Offset = ((At.Offset % MCK_STATUS_BYTES) + MCK_STATUS_BYTES) % MCK_STATUS_BYTES;
  Work.push_back({&Pointer, At});
  return true;
}

// Bytes of other parts than these count as the count: MPI_Get_count and MPI_Test_cancelled read them.
void StatusVariable::read(const Instruction &I, StatusPlace At, uint64_t Size) {
  Touch New = {At.status(), 0};
  New.IsEach = uint64_t(At.Offset % MCK_STATUS_BYTES) + Size > MCK_STATUS_BYTES;
  for (uint64_t K = 0; K < Size && K < MCK_STATUS_BYTES; ++K) {
    int64_t Byte = (At.Offset + int64_t(K)) % MCK_STATUS_BYTES;
    if (Byte >= MCK_STATUS_SOURCE_AT && Byte < MCK_STATUS_SOURCE_AT + 4) New.Bits |= MCK_STATUS_SOURCE;
    else if (Byte >= MCK_STATUS_TAG_AT && Byte < MCK_STATUS_TAG_AT + 4) New.Bits |= MCK_STATUS_TAG;
    else if (Byte < MCK_STATUS_ERROR_AT || Byte >= MCK_STATUS_ERROR_AT + 4) New.Bits |= MCK_STATUS_COUNT;
  }
  Touches[&I].push_back(New);
}

bool StatusVariable::lookAtCall(const CallBase &Call, unsigned Argument, StatusPlace At) {
  if (const auto *Known = dyn_cast<IntrinsicInst>(&Call)) return lookAtIntrinsic(*Known, Argument, At);
  const StatusParameter *P = findStatusParameter(Call);
  if (!P || P->Place != Argument || At.Offset % MCK_STATUS_BYTES) return false;
  if (P->What == StatusBecomes::READS) Touches[&Call].push_back({At.status(), MCK_STATUS_COUNT});
  if (P->What == StatusBecomes::FILLS && At.IsExact) Touches[&Call].push_back({At, 0, /*IsEnd=*/true});
  return true;
}

bool StatusVariable::lookAtIntrinsic(const IntrinsicInst &Known, unsigned Argument, StatusPlace At) {
  if (Known.isLifetimeStartOrEnd()) {
    if (Known.getIntrinsicID() == Intrinsic::lifetime_end)
      Touches[&Known].push_back({{0, /*IsExact=*/false}, 0, /*IsEnd=*/true});
    return true;
  }
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&Known)) {
    IsWritten |= Argument == 0;
    if (Argument == 1 && isa<MemTransferInst>(Memory))
      Touches[&Known].push_back({At.status(), MCK_STATUS_ALL, /*IsEnd=*/false, /*IsEach=*/true});
    return true;
  }
  return Known.isAssumeLikeIntrinsic();
}

// --- paths ---
unsigned StatusVariable::allBits() const {
  unsigned Bits = 0;
  for (const auto &Touched : Touches)
    for (const Touch &T : Touched.second) Bits |= T.Bits;
  return Bits;
}

StatusVariable::Reads StatusVariable::readsFrom(const CallBase &From, StatusPlace Status) const {
  Reads All;
  SmallPtrSet<const BasicBlock *, 16> Done;
  SmallVector<const Instruction *, 16> Work;
  auto pushBlock = [&](const BasicBlock *Block) {
    if (Done.insert(Block).second) Work.push_back(&Block->front());
  };
  auto pushSuccessors = [&](const BasicBlock *Block) {
    for (const BasicBlock *Next : successors(Block)) pushBlock(Next);
  };
  if (From.isTerminator()) pushSuccessors(From.getParent());
  else Work.push_back(From.getNextNode());
  while (!Work.empty()) {
    bool IsOver = false;
    const Instruction *First = Work.pop_back_val();
    for (const Instruction *I = First; I && !IsOver; I = I->getNextNode()) {
      auto Found = Touches.find(I);
      if (Found == Touches.end()) continue;
      for (const Touch &T : Found->second) {
        if (T.IsEnd) IsOver |= !T.At.IsExact || (Status.IsExact && T.At.Offset == Status.Offset);
        else if (!T.IsEach && !T.At.mayBe(Status)) continue;
        else if (const auto *Load = dyn_cast<LoadInst>(I); Load && !T.IsEach && isPowerOf2_32(T.Bits)) {
          if (!is_contained(All.Loads, Load)) All.Loads.push_back(Load);
        } else All.Bits |= T.Bits;
      }
    }
    if (!IsOver) pushSuccessors(First->getParent());
  }
  return All;
}
