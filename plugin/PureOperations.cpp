// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which functions are pure (PureOperations.h). Code that is not optimized keeps pointers in variables: a copy
// of the function is looked at, whose variables became values.
#include "PureOperations.h"
#include "Attach.h"
#include "abi.h"
#include "PromotedCopy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// Functions of the C library whose only effects are their result, errno and floating-point flags. The runtime puts the
/// last two back.
bool isMath(StringRef Name) {
  if (Name.ends_with("f") && Name != "erf") Name = Name.drop_back();
  else if (Name.ends_with("l") && Name != "ceil") Name = Name.drop_back();
  return StringSwitch<bool>(Name)
      .Cases("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", true)
      .Cases("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", true)
      .Cases("hypot", "fabs", "fmin", "fmax", "floor", "ceil", "round", "trunc", "fmod", "fma", true)
      .Cases("copysign", "rint", "nearbyint", "ldexp", "erf", "erfc", "abs", "labs", "llabs", true)
      .Cases("cabs", "csqrt", "cexp", "clog", "cpow", "conj", "creal", "cimag", "carg", true)
      .Cases("__muldc3", "__mulsc3", "__mulxc3", "__divdc3", "__divsc3", "__divxc3", true)
      .Default(false);
}

struct Effects {
  bool IsPure = false;
  uint64_t Writes = 0;       // bits of the arguments through which it writes
  uint64_t Returns = 0;      // bits of the arguments that the pointer it returns may be derived from
  bool ReturnsOther = false; // it may return another pointer
  bool ReadsOther = false;   // not only through its arguments, variables of its own, and constants
};

class Purity {
public:
  const Effects &of(Function &F, unsigned Depth = 12) {
    auto [Place, IsNew] = Known.try_emplace(&F);
    if (!IsNew) return Place->second; // a function that is being looked at calls itself: not pure
    Effects Found = look(F, Depth);
    return Known[&F] = Found;
  }

private:
  DenseMap<const Function *, Effects> Known;

  Effects look(Function &F, unsigned Depth);
  bool findRoots(const Value *Pointer, Effects &Found, uint64_t &Arguments, unsigned Depth, unsigned Calls = 4);
  bool isAllowed(const Value *Pointer, Effects &Found, unsigned Depth) {
    return findRoots(Pointer, Found, Found.Writes, Depth);
  }
  bool isPure(Instruction &I, Effects &Found, unsigned Depth);
  void noteRead(const Value *Pointer, Effects &Found);
  bool isPureCall(CallBase &Call, Effects &Found, unsigned Depth);
};

/// Adds the arguments that the pointer may be derived from. False: it may point to memory of others.
bool Purity::findRoots(const Value *Pointer, Effects &Found, uint64_t &Arguments, unsigned Depth, unsigned Calls) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    if (isa<AllocaInst, ConstantPointerNull, UndefValue>(Object)) continue;
    if (const auto *Given = dyn_cast<Argument>(Object)) {
      if (!Given->hasByValAttr()) Arguments |= uint64_t(1) << Given->getArgNo();
      continue;
    }
    const auto *Call = dyn_cast<CallBase>(Object);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() || !Depth || !Calls) return false;
    Effects Result = of(*Callee, Depth - 1);
    if (!Result.IsPure || Result.ReturnsOther) return false;
    for (unsigned I = 0; I < Call->arg_size(); ++I)
      if (Result.Returns >> I & 1 && !findRoots(Call->getArgOperand(I), Found, Arguments, Depth, Calls - 1))
        return false;
  }
  return true;
}

/// What is read there decides the result, too. A pointer that was read itself may lead anywhere.
void Purity::noteRead(const Value *Pointer, Effects &Found) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    const auto *Global = dyn_cast<GlobalVariable>(Object);
    bool IsFixed = isa<AllocaInst, Argument, ConstantPointerNull, UndefValue>(Object) ||
                   (Global && Global->isConstant() && !Global->isThreadLocal());
    Found.ReadsOther |= !IsFixed;
  }
}

bool Purity::isPureCall(CallBase &Call, Effects &Found, unsigned Depth) {
  if (Call.doesNotReturn() || Call.isInlineAsm()) return false;
  if (auto *Known = dyn_cast<IntrinsicInst>(&Call)) {
    if (auto *Transfer = dyn_cast<MemTransferInst>(Known)) noteRead(Transfer->getRawSource(), Found);
    if (auto *Memory = dyn_cast<MemIntrinsic>(Known))
      return !Memory->isVolatile() && isAllowed(Memory->getRawDest(), Found, Depth);
    Intrinsic::ID Id = Known->getIntrinsicID();
    return Known->isAssumeLikeIntrinsic() || Id == Intrinsic::stacksave || Id == Intrinsic::stackrestore ||
           Known->doesNotAccessMemory();
  }
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->getFunctionType() != Call.getFunctionType()) return false;
  if (Callee->getName().starts_with("mck.")) return true; // a test before a loop that has two versions
  if (Callee->isDeclaration())
    return isMath(Callee->getName()) || (Call.doesNotAccessMemory() && Call.doesNotThrow() && Call.willReturn());
  if (!Depth) return false;
  Effects Inner = of(*Callee, Depth - 1);
  if (!Inner.IsPure) return false;
  Found.ReadsOther |= Inner.ReadsOther;
  for (const Value *Given : Call.args())
    if (Given->getType()->isPtrOrPtrVectorTy()) noteRead(Given, Found);
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    if (Inner.Writes >> I & 1 && !isAllowed(Call.getArgOperand(I), Found, Depth)) return false;
  return true;
}

bool Purity::isPure(Instruction &I, Effects &Found, unsigned Depth) {
  if (auto *Call = dyn_cast<CallBase>(&I)) return isPureCall(*Call, Found, Depth);
  if (I.isAtomic() || I.isVolatile()) return false;
  if (auto *Store = dyn_cast<StoreInst>(&I)) return isAllowed(Store->getPointerOperand(), Found, Depth);
  if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    const Value *Result = Return->getReturnValue();
    if (Result && Result->getType()->isPtrOrPtrVectorTy())
      Found.ReturnsOther |= !findRoots(Result, Found, Found.Returns, Depth);
    return true;
  }
  // What a test of our own reads chooses between two versions of one loop.
  bool IsOwn = I.hasMetadata(LLVMContext::MD_nosanitize);
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && !IsOwn) noteRead(Load->getPointerOperand(), Found);
  return isa<LoadInst>(I) || !I.mayReadOrWriteMemory() || isa<ResumeInst, LandingPadInst>(I);
}

Effects Purity::look(Function &F, unsigned Depth) {
  Effects Found;
  if (F.isDeclaration() || F.isInterposable() || F.isVarArg() || F.arg_size() > 64 || F.doesNotReturn() ||
      F.isPresplitCoroutine() || F.hasFnAttribute(Attribute::Naked) || F.getInstructionCount() > 20000)
    return Found;
  ValueToValueMapTy Map;
  Function *Copy = mck::copyPromoted(F, Map);
  DominatorTree Tree(*Copy);
  Found.IsPure = true;
  for (BasicBlock &Block : *Copy)
    for (Instruction &I : Block)
      if (Tree.isReachableFromEntry(&Block)) Found.IsPure = Found.IsPure && isPure(I, Found, Depth);
  Copy->eraseFromParent();
  return Found;
}

bool isOperation(const Function &F) {
  const FunctionType *Type = F.getFunctionType();
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !F.isInterposable() && !F.isVarArg() &&
         Type->getReturnType()->isVoidTy() && Type->getNumParams() == 4 &&
         all_of(Type->params(), [](const llvm::Type *T) { return T->isPointerTy(); }) &&
         F.getCallingConv() == CallingConv::C && !F.hasStructRetAttr() && (!F.hasLocalLinkage() || F.hasAddressTaken());
}

} // namespace

/// One more address in the section mck_NAME.
static void addEntry(Module &M, Function *F, StringRef Section) {
  auto *Entry = new GlobalVariable(M, F->getType(), false, GlobalValue::PrivateLinkage, F, "mck.operation");
  Entry->setSection(Section);
  Entry->setAlignment(Align(8));
  Entry->setComdat(F->getComdat());
  Entry->setMetadata(LLVMContext::MD_associated, MDNode::get(M.getContext(), ValueAsMetadata::get(F)));
  GlobalValue::SanitizerMetadata NoRedZone;
  NoRedZone.NoAddress = NoRedZone.NoHWAddress = true;
  Entry->setSanitizerMetadata(NoRedZone);
  appendToCompilerUsed(M, {Entry});
}

bool mck::listPureOperations(Module &M) {
  SmallVector<Function *, 8> Operations;
  for (Function &F : M)
    if (isOperation(F) && !F.getName().starts_with("__mck_") && !F.getName().starts_with("mck.") &&
        !F.hasFnAttribute("mck-instrumented"))
      Operations.push_back(&F);
  Purity Functions;
  bool IsPure = false, IsFixed = false;
  for (Function *F : Operations) {
    Effects Found = Functions.of(*F);
    if (!Found.IsPure || Found.Writes & ~uint64_t(3)) continue; // invec and inoutvec
    addEntry(M, F, "mck_operations"), IsPure = true;
    if (!Found.ReadsOther) addEntry(M, F, "mck_fixed_operations"), IsFixed = true;
  }
  if (IsPure) mck::attachSection(M, "operations", MCK_OPERATIONS_VERSION);
  if (IsFixed) mck::attachSection(M, "fixed_operations", MCK_OPERATIONS_VERSION);
  return IsPure;
}
