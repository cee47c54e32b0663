// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Objects.h"
#include "Signals.h"
#include "abi.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// Bits of the parameters that are buffers; generated from the table of MPI functions.
unsigned buffersOf(StringRef Name) {
  return StringSwitch<unsigned>(Name)
#define MCK_BUFFERS(name, bits) .Case(#name, bits)
#include "api/buffers.inc"
#undef MCK_BUFFERS
      .Default(0);
}

struct Object {
  Value *Base = nullptr;
  Value *Size = nullptr; // null: not known
  StringRef Name;
  bool IsConstant = false;
};

StringRef nameOf(const AllocaInst *Alloca) {
  for (DbgVariableIntrinsic *Declare : findDbgDeclares(const_cast<AllocaInst *>(Alloca)))
    return Declare->getVariable()->getName();
  for (DbgVariableRecord *Declare : findDVRDeclares(const_cast<AllocaInst *>(Alloca)))
    return Declare->getVariable()->getName();
  for (DbgVariableRecord *Assign : at::getDVRAssignmentMarkers(Alloca)) // optimized
    return Assign->getVariable()->getName();
  return Alloca->getName();
}

StringRef nameOf(const GlobalVariable *Global) {
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  Global->getDebugInfo(Expressions);
  return Expressions.empty() ? Global->getName() : Expressions.front()->getVariable()->getName();
}

/// The whole variable, not the member that the address names: to send several members at once is usual.
Object objectOf(IRBuilder<> &Builder, Value *Address, const DataLayout &Layout) {
  Object Found;
  Value *Base = const_cast<Value *>(getUnderlyingObject(Address, /*MaxLookup=*/0));
  if (auto *Alloca = dyn_cast<AllocaInst>(Base)) {
    TypeSize Element = Layout.getTypeAllocSize(Alloca->getAllocatedType());
    if (Element.isScalable() || Alloca->isUsedWithInAlloca())
      return Found;
    // The count of an array whose length is known at run time is there wherever the array is.
    Value *Count = Builder.CreateZExtOrTrunc(Alloca->getArraySize(), Builder.getInt64Ty());
    Found.Size = Builder.CreateMul(Count, Builder.getInt64(Element.getFixedValue()));
    Found.Name = nameOf(Alloca);
  } else if (auto *Global = dyn_cast<GlobalVariable>(Base)) {
    // Only what is certainly this definition at run time, and as large.
    if (!Global->hasInitializer() || Global->isInterposable() || Global->isThreadLocal() ||
        Global->hasAvailableExternallyLinkage() || !(Global->hasLocalLinkage() || Global->isDSOLocal()))
      return Found;
    Found.Size = Builder.getInt64(Layout.getTypeAllocSize(Global->getValueType()).getFixedValue());
    Found.Name = nameOf(Global);
    Found.IsConstant = Global->isConstant();
  }
  Found.Base = Base;
  return Found;
}

FunctionCallee entry(Module &M) {
  LLVMContext &Context = M.getContext();
  Type *Pointer = PointerType::getUnqual(Context), *Int32 = Type::getInt32Ty(Context);
  FunctionCallee Callee = M.getOrInsertFunction(
      "__mck_object", FunctionType::get(Type::getVoidTy(Context),
                                        {Pointer, Pointer, Pointer, Type::getInt64Ty(Context), Int32, Int32}, false));
  // Weak, so that the object links and runs without the runtime.
  if (auto *Target = dyn_cast<Function>(Callee.getCallee()); Target && Target->isDeclaration()) {
    Target->setLinkage(GlobalValue::ExternalWeakLinkage);
    Target->setDSOLocal(false);
    Target->setDoesNotThrow();
    Target->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (unsigned I = 0; I < 3; ++I)
      Target->addParamAttr(I, Attribute::NoCapture), Target->addParamAttr(I, Attribute::ReadNone);
  }
  return Callee;
}

bool tell(CallBase &Call, StringRef Name, unsigned Buffers) {
  Function &F = *Call.getFunction();
  Module &M = *F.getParent();
  IRBuilder<> Builder(&Call);
  SmallVector<std::pair<unsigned, Object>, 2> Objects;
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    if (!(Buffers >> I & 1) || !Call.getArgOperand(I)->getType()->isPointerTy())
      continue;
    Object Found = objectOf(Builder, Call.getArgOperand(I), M.getDataLayout());
    if (Found.Size)
      Objects.push_back({I, Found});
  }
  if (Objects.empty())
    return false;
  FunctionCallee Tell = entry(M);
  DebugLoc Place = Call.getDebugLoc();
  if (!Place && F.getSubprogram()) // a call without a place is invalid in a function that has places
    Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
  Builder.SetCurrentDebugLocation(Place);
  Instruction *Before = &Call;
  if (auto *Target = dyn_cast<Function>(Tell.getCallee()); !Target || Target->hasExternalWeakLinkage())
    Before = SplitBlockAndInsertIfThen(Builder.CreateIsNotNull(Tell.getCallee()), Call.getIterator(), /*Unreachable=*/false,
                                       MDBuilder(F.getContext()).createLikelyBranchWeights());
  IRBuilder<> Telling(Before);
  Telling.SetCurrentDebugLocation(Place);
  Value *Callee = Telling.CreateGlobalString(Name, "mck.fn");
  for (auto &[Argument, Found] : Objects) {
    CallInst *Told = Telling.CreateCall(
        Tell, {Callee, Telling.CreateGlobalString(Found.Name, "mck.object"), Found.Base, Found.Size,
               Telling.getInt32(Argument), Telling.getInt32(Found.IsConstant ? MCK_OBJECT_CONSTANT : 0)});
    Told->setDoesNotThrow();
  }
  return true;
}

} // namespace

bool mck::tellObjects(Function &F) {
  SmallVector<std::pair<CallBase *, StringRef>, 8> Calls;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && Callee->isDeclaration() && buffersOf(Callee->getName()) && !Call->isMustTailCall())
        Calls.push_back({Call, Callee->getName()});
    }
  if (!Calls.empty())
    gatherAllocas(F);
  bool IsChanged = false;
  for (auto &[Call, Name] : Calls)
    IsChanged |= tell(*Call, Name, buffersOf(Name));
  if (IsChanged) { // it now calls something that has a memory of its own
    F.removeFnAttr(Attribute::Memory);
    F.removeFnAttr(Attribute::NoSync);
  }
  return IsChanged;
}
