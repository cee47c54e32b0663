// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts the signals of atomic operations (Atomics.h). The test before each is a load, a test of a byte of the page
// filter and a branch.
#include "Atomics.h"
#include "ThreadSignals.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

struct Atomic {
  Instruction *At;
  Value *Address;          // null: a fence
  uint32_t Before, Behind; // MCK_ATOMIC_ bits; 0: no signal there
};

uint32_t strengthOf(AtomicOrdering Ordering) {
  return (isAcquireOrStronger(Ordering) ? MCK_ATOMIC_ACQUIRE : 0) |
         (isReleaseOrStronger(Ordering) ? MCK_ATOMIC_RELEASE : 0);
}

bool isPrivate(const Value *Address) { return mck::isPrivateVariable(getUnderlyingObject(Address)); }

Atomic access(Instruction &I, Value *Address, uint32_t Strength, bool IsLoad, bool IsStore) {
  return {&I, Address, IsStore ? (Strength & MCK_ATOMIC_RELEASE) | MCK_ATOMIC_STORE : 0,
          IsLoad ? (Strength & MCK_ATOMIC_ACQUIRE) | MCK_ATOMIC_LOAD : 0};
}

Atomic fence(Instruction &I, uint32_t Strength) {
  return {&I, nullptr, Strength & MCK_ATOMIC_RELEASE, Strength & MCK_ATOMIC_ACQUIRE};
}

// Assembly with a locked instruction, an exchange or a fence is some synchronization of the program's own. What it
// does is not known: all such places are taken for operations on one object, which order most.
bool isSynchronizing(const InlineAsm &Assembly) {
  StringRef Text = Assembly.getAsmString();
  return Assembly.hasSideEffects() && (Text.contains("lock") || Text.contains("xchg") || Text.contains("fence"));
}

std::optional<Atomic> atomicCall(CallBase &Call) {
  constexpr uint32_t Both = MCK_ATOMIC_ACQUIRE | MCK_ATOMIC_RELEASE;
  if (const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    if (!isSynchronizing(*Assembly)) return std::nullopt;
    Value *Anything = ConstantExpr::getIntToPtr(ConstantInt::get(Type::getInt64Ty(Call.getContext()), 1),
                                                PointerType::getUnqual(Call.getContext()));
    return access(Call, Anything, Both, true, true);
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return std::nullopt;
  StringRef Name = Callee->getName();
  if (Name == "__kmpc_flush") return fence(Call, Both);
  if (Name == "llvm.x86.sse2.mfence") return fence(Call, Both);
  // The C++ runtime initializes a local static variable once ([stmt.dcl]).
  if (Name == "__cxa_guard_acquire") return access(Call, Call.getArgOperand(0), Both, true, false);
  if (Name == "__cxa_guard_release") return access(Call, Call.getArgOperand(0), Both, false, true);
  // Objects that are too large for an instruction (libatomic): the address comes behind the size.
  if (Name == "__atomic_load" || Name == "__atomic_store" || Name == "__atomic_exchange" ||
      Name == "__atomic_compare_exchange")
    return access(Call, Call.getArgOperand(1), Both, Name != "__atomic_store", Name != "__atomic_load");
  return std::nullopt;
}

std::optional<Atomic> atomicOf(Instruction &I) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize)) return std::nullopt;
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isAtomic())
    return access(I, Load->getPointerOperand(), strengthOf(Load->getOrdering()), true, false);
  if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isAtomic())
    return access(I, Store->getPointerOperand(), strengthOf(Store->getOrdering()), false, true);
  if (auto *Change = dyn_cast<AtomicRMWInst>(&I))
    return access(I, Change->getPointerOperand(), strengthOf(Change->getOrdering()), true, true);
  // Where it fails it is a load, with an ordering of its own.
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return access(I, Exchange->getPointerOperand(),
                  strengthOf(Exchange->getSuccessOrdering()) | strengthOf(Exchange->getFailureOrdering()), true, true);
  if (auto *Fence = dyn_cast<FenceInst>(&I)) {
    if (Fence->getSyncScopeID() == SyncScope::SingleThread) return std::nullopt;
    return fence(I, strengthOf(Fence->getOrdering()));
  }
  if (auto *Call = dyn_cast<CallInst>(&I); Call && !Call->isMustTailCall()) return atomicCall(*Call);
  return std::nullopt;
}

} // namespace

bool mck::signalAtomics(Function &F) {
  SmallVector<Atomic, 8> Atomics;
  for (Instruction &I : instructions(F))
    if (std::optional<Atomic> A = atomicOf(I); A && !(A->Address && isPrivate(A->Address)) &&
                                               (!A->Address || A->Address->getType()->getPointerAddressSpace() == 0))
      Atomics.push_back(*A);
  if (Atomics.empty()) return false;
  ThreadSignals Signals(F);
  Type *Number = Type::getInt32Ty(F.getContext());
  for (const Atomic &A : Atomics) {
    Value *Address = A.Address ? A.Address : ConstantPointerNull::get(PointerType::getUnqual(F.getContext()));
    if (A.Before) Signals.insert(A.At, *A.At, "__mck_atomic", {Address, ConstantInt::get(Number, A.Before)});
    if (A.Behind)
      Signals.insert(A.At->getNextNode(), *A.At, "__mck_atomic", {Address, ConstantInt::get(Number, A.Behind)});
  }
  return true;
}
