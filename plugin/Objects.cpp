// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the runtime which variables the buffers of MPI calls point into (Objects.h).
#include "Objects.h"
#include "Members.h"
#include "Signals.h"
#include "TailGate.h"
#include "abi.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace {

/// Bits of the parameters that are buffers; generated from the table of MPI functions.
unsigned buffersOf(StringRef Name) {
  return StringSwitch<unsigned>(Name)
#define MCK_MODEL(name, keeps, buffers, arrays, polling) .Case(#name, buffers)
#include "api/models.inc"
#undef MCK_MODEL
      .Default(0);
}

struct Object {
  Value *Base = nullptr;
  Value *Size = nullptr; // null: the size is not known
  std::string Name;
  uint32_t Flags = 0; // MCK_OBJECT_*
};

/// Members are told of C and C++, whose debug information has all of them at their true places.
bool isOfC(const Module &M) {
  return all_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
    auto Language = static_cast<dwarf::SourceLanguage>(Unit->getSourceLanguage());
    return dwarf::isC(Language) || dwarf::isCPlusPlus(Language);
  });
}

/// IsWhole: the variable is all of the object.
void describe(Object &Found, const DIVariable *Variable, bool IsWhole, const Module &M) {
  if (!Variable || !IsWhole) return;
  if (uint32_t Kind = mck::numberKind(Variable->getType())) {
    Found.Flags |= MCK_OBJECT_TYPED | Kind;
    Found.Name += '\0' + mck::typeText(Variable->getType());
    return;
  }
  mck::Members Members = isOfC(M) ? mck::membersOf(Variable->getType()) : mck::Members();
  if (Members.Text.empty()) return;
  Found.Flags |= MCK_OBJECT_MEMBERS;
  if (Members.ElementSize < 1 << 24) Found.Flags |= uint32_t(Members.ElementSize) << 8;
  Found.Name += '\0' + mck::typeText(Variable->getType()) + '\0' + Members.Text;
}

// IsWhole: the alloca is the whole variable. Debug information describes the parts of a variable that was split.
const DILocalVariable *variableOf(const AllocaInst *Alloca, bool &IsWhole) {
  const DILocalVariable *Variable = nullptr;
  IsWhole = true;
  auto Look = [&](const DILocalVariable *V, const DIExpression *Expression) {
    IsWhole &= !Variable && !Expression->getNumElements();
    Variable = V;
  };
  for (DbgVariableIntrinsic *Declare : findDbgDeclares(const_cast<AllocaInst *>(Alloca)))
    Look(Declare->getVariable(), Declare->getExpression());
  for (DbgVariableRecord *Declare : findDVRDeclares(const_cast<AllocaInst *>(Alloca)))
    Look(Declare->getVariable(), Declare->getExpression());
  if (!Variable)
    for (DbgVariableRecord *Assign : at::getDVRAssignmentMarkers(Alloca)) { // optimized code
      IsWhole &= (!Variable || Variable == Assign->getVariable()) &&
                 !Assign->getAddressExpression()->getNumElements() && !Assign->getExpression()->isFragment();
      Variable = Assign->getVariable();
    }
  return Variable;
}

const DIGlobalVariable *variableOf(const GlobalVariable *Global, bool &IsWhole) {
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  Global->getDebugInfo(Expressions);
  IsWhole = Expressions.size() == 1 && !Expressions.front()->getExpression()->getNumElements();
  return Expressions.empty() ? nullptr : Expressions.front()->getVariable();
}

/// The bounds are those of the whole variable, not of the member at the address: one send of several members is usual.
Object objectOf(IRBuilder<> &Builder, Value *Address, const Module &M) {
  const DataLayout &Layout = M.getDataLayout();
  Object Found;
  Value *Base = const_cast<Value *>(getUnderlyingObject(Address, /*MaxLookup=*/100));
  if (auto *Alloca = dyn_cast<AllocaInst>(Base)) {
    TypeSize Element = Layout.getTypeAllocSize(Alloca->getAllocatedType());
    if (Element.isScalable() || Alloca->isUsedWithInAlloca()) return Found;
    // The count of an array whose length only the run knows is available wherever the array is.
    Value *Count = Builder.CreateZExtOrTrunc(Alloca->getArraySize(), Builder.getInt64Ty());
    Found.Size = Builder.CreateMul(Count, Builder.getInt64(Element.getFixedValue()));
    bool IsWhole;
    const DILocalVariable *Variable = variableOf(Alloca, IsWhole);
    Found.Name = (Variable ? Variable->getName() : Alloca->getName()).str();
    describe(Found, Variable, IsWhole, M);
  } else if (auto *Global = dyn_cast<GlobalVariable>(Base)) {
    // Only a variable that is surely this definition at run time, and of this size.
    if (!Global->hasInitializer() || Global->isInterposable() || Global->isThreadLocal() ||
        Global->hasAvailableExternallyLinkage() || !(Global->hasLocalLinkage() || Global->isDSOLocal()))
      return Found;
    Found.Size = Builder.getInt64(Layout.getTypeAllocSize(Global->getValueType()).getFixedValue());
    bool IsWhole;
    const DIGlobalVariable *Variable = variableOf(Global, IsWhole);
    Found.Name = (Variable ? Variable->getName() : Global->getName()).str();
    Found.Flags = Global->isConstant() ? MCK_OBJECT_CONSTANT : 0;
    describe(Found, Variable, IsWhole, M);
  }
  Found.Base = Base;
  return Found;
}

/// The string is the same for all calls with the variable: the text of its members may be long.
Constant *nameOf(IRBuilder<> &Builder, const Object &Found) {
  if (!(Found.Flags & MCK_OBJECT_MEMBERS)) return Builder.CreateGlobalString(Found.Name, "mck.object");
  Module &M = *Builder.GetInsertBlock()->getModule();
  std::string Name = "mck.object." + utohexstr(xxh3_64bits(Found.Name));
  if (GlobalVariable *Existing = M.getNamedGlobal(Name)) {
    const auto *Data = dyn_cast<ConstantDataArray>(Existing->getInitializer());
    if (Data && Data->getAsString().drop_back() == Found.Name) return Existing;
  }
  return Builder.CreateGlobalString(Found.Name, Name);
}

// Neither the runtime's function nor its gate changes anything that the optimizer knows of.
Function *gate(Module &M) {
  constexpr char Name[] = "mck.object.gate", Entry[] = "__mck_object";
  if (Function *Gate = M.getFunction(Name)) return Gate;
  LLVMContext &Context = M.getContext();
  Type *Pointer = PointerType::getUnqual(Context), *Int32 = Type::getInt32Ty(Context);
  Function *Gate = mck::tailGate(M, Name, Entry, {Pointer, Pointer, Pointer, Type::getInt64Ty(Context), Int32, Int32});
  Function *Target = M.getFunction(Entry);
  for (Function *F : {Gate, Target && Target->isDeclaration() ? Target : Gate}) {
    F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (unsigned I = 0; I < 3; ++I) F->addParamAttr(I, Attribute::NoCapture), F->addParamAttr(I, Attribute::ReadNone);
  }
  return Gate;
}

bool tell(CallBase &Call, StringRef Name, unsigned Buffers) {
  Function &F = *Call.getFunction();
  Module &M = *F.getParent();
  IRBuilder<> Builder(&Call);
  SmallVector<std::pair<unsigned, Object>, 2> Objects;
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    if (!(Buffers >> I & 1) || !Call.getArgOperand(I)->getType()->isPointerTy()) continue;
    Object Found = objectOf(Builder, Call.getArgOperand(I), M);
    if (Found.Size) Objects.push_back({I, Found});
  }
  if (Objects.empty()) return false;
  FunctionCallee Tell = gate(M);
  DebugLoc Place = Call.getDebugLoc();
  if (!Place && F.getSubprogram()) // a call without a place is invalid in a function that has places
    Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
  IRBuilder<> Telling(&Call);
  Telling.SetCurrentDebugLocation(Place);
  Value *Callee = Telling.CreateGlobalString(Name, "mck.fn");
  for (auto &[Argument, Found] : Objects) {
    CallInst *Told = Telling.CreateCall(Tell, {Callee, nameOf(Telling, Found), Found.Base, Found.Size,
                                               Telling.getInt32(Argument), Telling.getInt32(Found.Flags)});
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
  if (!Calls.empty()) gatherAllocas(F);
  bool IsChanged = false;
  for (auto &[Call, Name] : Calls) IsChanged |= tell(*Call, Name, buffersOf(Name));
  if (IsChanged) { // the function now calls one that may access memory
    F.removeFnAttr(Attribute::Memory);
    F.removeFnAttr(Attribute::NoSync);
  }
  return IsChanged;
}
