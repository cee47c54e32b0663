// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals the ends of local variables that MPI may be using (Scopes.h).
#include "Scopes.h"
#include "Filter.h"
#include "Relevance.h"
#include "abi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::ScopeEnd;

namespace {

const IntrinsicInst *intrinsic(const Value *V, Intrinsic::ID Id) {
  const auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == Id ? Call : nullptr;
}

// The stacksave whose stack this restores. Code that is not optimized keeps it in a variable.
const IntrinsicInst *savedBy(const IntrinsicInst &Restore) {
  const Value *Saved = Restore.getArgOperand(0);
  if (const auto *Load = dyn_cast<LoadInst>(Saved)) {
    const auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand());
    const StoreInst *Only = nullptr;
    for (const User *U : Slot ? Slot->users() : iterator_range<Value::const_user_iterator>({}, {}))
      if (const auto *Store = dyn_cast<StoreInst>(U)) {
        if (Only || Store->getValueOperand() == Slot) return nullptr;
        Only = Store;
      } else if (!isa<LoadInst>(U)) return nullptr;
    Saved = Only ? Only->getValueOperand() : nullptr;
  }
  return Saved ? intrinsic(Saved, Intrinsic::stacksave) : nullptr;
}

// Where the function is left. Between a musttail call and its return nothing may stand.
SmallVector<Instruction *, 4> findExits(Function &F) {
  SmallVector<Instruction *, 4> Exits;
  for (BasicBlock &Block : F) {
    Instruction *Last = Block.getTerminator();
    if (!Last || !(isa<ReturnInst>(Last) || isa<ResumeInst>(Last))) continue;
    CallInst *Tail = Block.getTerminatingMustTailCall();
    Exits.push_back(Tail ? Tail : Last);
  }
  return Exits;
}

} // namespace

bool mck::markVariableArrays(Function &F, const DominatorTree &DT) {
  SmallVector<AllocaInst *, 4> Arrays;
  SmallVector<IntrinsicInst *, 4> Restores;
  for (Instruction &I : instructions(F))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
      if (Alloca->isArrayAllocation() && !Alloca->getAllocatedType()->isScalableTy()) Arrays.push_back(Alloca);
    } else if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::stackrestore)
      Restores.push_back(Call);
  SmallPtrSet<AllocaInst *, 4> Marked;
  for (IntrinsicInst *Restore : Restores) {
    const IntrinsicInst *Save = savedBy(*Restore);
    for (AllocaInst *Array : Arrays)
      if (Save && DT.dominates(Save, Array) && DT.dominates(Array, Restore)) {
        IRBuilder<>(Restore).CreateLifetimeEnd(Array);
        if (Marked.insert(Array).second) IRBuilder<>(Array->getNextNode()).CreateLifetimeStart(Array);
      }
  }
  return !Marked.empty();
}

SmallVector<ScopeEnd, 0> mck::findScopeEnds(Function &F, const DominatorTree &DT, const Points &Module) {
  SmallVector<ScopeEnd, 0> Ends;
  SmallVector<AllocaInst *, 8> Variables;
  SmallVector<IntrinsicInst *, 4> Restores;
  SmallPtrSet<AllocaInst *, 8> Marked;
  Relevance Memory(Module);
  StringRef Why;
  for (Instruction &I : instructions(F)) {
    if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
      if (!Alloca->getAllocatedType()->isScalableTy() && Memory.isRelevant(Alloca, Why)) Variables.push_back(Alloca);
      continue;
    }
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call) continue;
    if (Call->getIntrinsicID() == Intrinsic::stackrestore) Restores.push_back(Call);
    if (Call->getIntrinsicID() != Intrinsic::lifetime_end) continue;
    auto *Variable = dyn_cast<AllocaInst>(Call->getArgOperand(1)->stripPointerCasts());
    if (Variable && Variable->isStaticAlloca() && !Variable->getAllocatedType()->isScalableTy() &&
        Memory.isRelevant(Variable, Why)) {
      Ends.push_back({Call, Variable});
      Marked.insert(Variable);
    }
  }
  for (IntrinsicInst *Restore : Restores) {
    const IntrinsicInst *Save = savedBy(*Restore);
    for (AllocaInst *Variable : Variables)
      if (Save && !Marked.contains(Variable) && DT.dominates(Save, Variable) && DT.dominates(Variable, Restore))
        Ends.push_back({Restore, Variable});
  }
  // Without marks (-O0, parameters) a variable lives until the function is left: its frame ends with it.
  SmallVector<Instruction *, 4> Exits = findExits(F);
  for (AllocaInst *Variable : Variables)
    if (Variable->isStaticAlloca() && !Marked.contains(Variable))
      for (Instruction *Exit : Exits) Ends.push_back({Exit, Variable});
  return Ends;
}

bool mck::tellScopeEnds(Function &F, ArrayRef<ScopeEnd> Ends) {
  if (Ends.empty()) return false;
  EntryPoints Gates(*F.getParent());
  Function *Gate = Gates.testSweepGate(0);
  const DataLayout &Layout = F.getParent()->getDataLayout();
  for (const ScopeEnd &End : Ends) {
    DebugLoc Place = End.At->getDebugLoc();
    if (!Place && F.getSubprogram()) // a call without a place is invalid in a function that has places
      Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
    IRBuilder<> Builder(End.At);
    Builder.SetCurrentDebugLocation(Place);
    Value *Size = Builder.CreateMul(
        Builder.CreateZExtOrTrunc(End.Variable->getArraySize(), Builder.getInt64Ty()),
        Builder.getInt64(Layout.getTypeAllocSize(End.Variable->getAllocatedType()).getFixedValue()));
    // The filter keeps the bits for volatile accesses also where it is known that all of a page was accessed.
    constexpr unsigned Flags = MCK_SIGNAL_STORE | MCK_SIGNAL_VOLATILE | MCK_SIGNAL_END;
    Value *What = Builder.CreateOr(Builder.CreateShl(Size, 8), Builder.getInt64(Flags));
    CallInst *Call = Builder.CreateCall(Gate, {End.Variable, What});
    Call->setCallingConv(Gate->getCallingConv());
    Call->setDoesNotThrow();
  }
  F.removeFnAttr(Attribute::Memory); // the function now calls one that may access memory
  F.removeFnAttr(Attribute::NoSync);
  return true;
}
