// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loads in loops that only wait for a value (Polling.h).
#include "Polling.h"
#include "abi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::Access;

namespace {

// What a loop that only waits may call: MPI functions that make progress and complete nothing that was started here,
// and functions that sleep.
bool isWaiting(const CallBase &Call) {
  if (isa<DbgInfoIntrinsic>(Call) || Call.isInlineAsm()) return true; // a pause
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return Intrinsic->isLifetimeStartOrEnd() || Intrinsic->doesNotAccessMemory() ||
           Intrinsic->getName().contains("pause");
  const Function *Callee = Call.getCalledFunction();
  return Callee && StringSwitch<bool>(Callee->getName())
#define MCK_MODEL(name, keeps, buffers, arrays, polling) .Case(#name, polling)
#include "api/models.inc"
#undef MCK_MODEL
                       .Cases("sched_yield", "usleep", "nanosleep", "sleep", "thrd_yield", true)
                       .Case("__mck_object", true)
                       .Default(false);
}

// Code that only waits: it changes nothing but variables of its own. It may be in a function of the module.
bool isIdle(const BasicBlock &Block, unsigned &Count, unsigned Depth) {
  constexpr unsigned Large = 64;
  for (const Instruction &I : Block) {
    if (++Count > Large) return false;
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      if (isWaiting(*Call)) continue;
      const Function *Callee = Call->getCalledFunction();
      if (Depth == 0 || !Callee || Callee->isDeclaration() || Callee->isInterposable()) return false;
      for (const BasicBlock &Inner : *Callee)
        if (!isIdle(Inner, Count, Depth - 1)) return false;
    } else if (I.hasMetadata(LLVMContext::MD_nosanitize)) { // of our own (ClosedLoops.cpp)
    } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
      if (!isa<AllocaInst>(Store->getPointerOperand()->stripInBoundsOffsets())) return false;
    } else if (I.mayWriteToMemory() && !isa<LoadInst>(I)) return false;
  }
  return true;
}

bool isIdle(const Loop &L) {
  unsigned Count = 0;
  return all_of(L.blocks(), [&](const BasicBlock *Block) { return isIdle(*Block, Count, /*Depth=*/2); });
}

// The address must not change: it contains no counter.
bool isFixed(const Value *Address, const Loop &L, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(Address);
  if (!I || !L.contains(I)) return true;
  if (Depth == 0 || isa<PHINode>(I) || isa<CallBase>(I)) return false;
  for (const Value *Operand : I->operands())
    if (!isFixed(Operand, L, Depth - 1)) return false;
  return true;
}

// Does the value decide whether the loop ends? Without optimization it may pass through a local variable.
bool decides(const Value &V, const Loop &L, SmallPtrSetImpl<const Value *> &Seen, unsigned Depth) {
  if (Depth == 0 || !Seen.insert(&V).second) return false;
  for (const User *U : V.users()) {
    const auto *I = dyn_cast<Instruction>(U);
    if (!I || !L.contains(I)) continue;
    if (I->isTerminator()) {
      for (const BasicBlock *Next : successors(I->getParent()))
        if (!L.contains(Next)) return true;
      // a && b: one test follows the other
      continue;
    }
    if (const auto *Store = dyn_cast<StoreInst>(I)) {
      if (isa<AllocaInst>(Store->getPointerOperand()) && decides(*Store->getPointerOperand(), L, Seen, Depth - 1))
        return true;
      continue;
    }
    if ((isa<CmpInst>(I) || isa<CastInst>(I) || isa<BinaryOperator>(I) || isa<SelectInst>(I) || isa<PHINode>(I) ||
         isa<FreezeInst>(I) || (isa<LoadInst>(I) && isa<AllocaInst>(V))) &&
        decides(*I, L, Seen, Depth - 1))
      return true;
  }
  return false;
}

bool isPolled(const LoadInst &Load, const LoopInfo &Loops) {
  const Loop *L = Loops.getLoopFor(Load.getParent());
  SmallPtrSet<const Value *, 16> Seen;
  return L && Load.isSimple() && Load.getType()->isSingleValueType() &&
         isFixed(Load.getPointerOperand(), *L, /*Depth=*/6) && isIdle(*L) && decides(Load, *L, Seen, /*Depth=*/8);
}

} // namespace

void mck::markPolling(MutableArrayRef<Access> Accesses, const LoopInfo &Loops) {
  SmallVector<const DILocation *, 4> Places;
  for (Access &A : Accesses) {
    const auto *Load = dyn_cast_or_null<LoadInst>(A.Before);
    if (!Load || A.Flags || !isPolled(*Load, Loops)) continue;
    A.Flags |= MCK_SIGNAL_VOLATILE;
    if (Load->getDebugLoc()) Places.push_back(Load->getDebugLoc().get());
  }
  // The first load of a rotated loop stands before the loop.
  for (Access &A : Accesses) {
    const DILocation *Own = A.Before && !A.Flags && isa<LoadInst>(A.Before) ? A.Before->getDebugLoc().get() : nullptr;
    for (const DILocation *Place : Places)
      if (Own && Own->getLine() == Place->getLine() && Own->getColumn() == Place->getColumn() &&
          Own->getScope() == Place->getScope() && Own->getInlinedAt() == Place->getInlinedAt())
        A.Flags |= MCK_SIGNAL_VOLATILE;
  }
}
