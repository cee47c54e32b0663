// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that gates (Gates.h) are made of: functions and variables that exist once per executable or shared library,
// the symbols of the runtime, the jump to another gate, and the call of the runtime at a gate's end. And the
// questions to the filter that they have in common.
#pragma once
#include "abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include <string>

namespace mck {
using namespace llvm;

class GateParts {
protected:
  explicit GateParts(Module &M) : M(M) {}

  Module &M;

  /// The address of the filter's byte for this address (i64). The filter has a byte for each page that 32 bits of an
  /// address can name, so a shift needs no mask.
  static Value *pageSlot(IRBuilder<> &Builder, Value *Filter, Value *Address) {
    static_assert(uint64_t(MCK_PAGES) << MCK_PAGE_SHIFT == uint64_t(1) << 32);
    Value *Page = Builder.CreateLShr(Builder.CreateTrunc(Address, Builder.getInt32Ty()), MCK_PAGE_SHIFT);
    return Builder.CreateInBoundsGEP(Builder.getInt8Ty(), Filter, Builder.CreateZExt(Page, Builder.getInt64Ty()));
  }

  // Is any page of interest? The byte behind the pages says so. Without a runtime it is zero.
  static Value *isAny(IRBuilder<> &Builder, Value *Filter) {
    Value *Byte = Builder.CreatePtrAdd(Filter, Builder.getInt64(MCK_PAGES));
    return Builder.CreateIsNotNull(Builder.CreateLoad(Builder.getInt8Ty(), Byte));
  }

  // The bits of the filter that size << 8 | flags asks for.
  static Value *watchBits(IRBuilder<> &Builder, Value *What) {
    static_assert(MCK_WATCH_STORES == MCK_SIGNAL_STORE + 1 && MCK_WATCH_LOADS == 1);
    Value *Bit = Builder.CreateAdd(Builder.CreateAnd(What, MCK_SIGNAL_STORE), Builder.getInt64(1));
    Value *IsOrdered = Builder.CreateIsNotNull(Builder.CreateAnd(What, MCK_SIGNAL_ATOMIC | MCK_SIGNAL_VOLATILE));
    return Builder.CreateSelect(IsOrdered, Builder.CreateShl(Bit, MCK_WATCH_ORDERED), Bit);
  }

  // An object made by another version of the plugin keeps its own gates beside these, whatever is linked together.
  static std::string versioned(StringRef Name) { return (Name + ".v" + Twine(int(MCK_ABI_VERSION))).str(); }

  // The gates touch nothing that the program can see.
  static void setAttributes(Function &Declaration) {
    Declaration.addFnAttr(Attribute::Cold);
    Declaration.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (Argument &Argument : Declaration.args())
      if (Argument.getType()->isPointerTy())
        Argument.addAttr(Attribute::NoCapture), Argument.addAttr(Attribute::ReadNone);
  }

  template <class T>
  T *once(T *Global) {
    Global->setVisibility(GlobalValue::HiddenVisibility);
    Global->setDSOLocal(true);
    Global->setComdat(M.getOrInsertComdat(Global->getName()));
    return Global;
  }

  GlobalVariable *global(StringRef Name, Type *Type, Constant *Initializer, bool IsConstant, Align Alignment) {
    if (GlobalVariable *Existing = M.getNamedGlobal(Name)) // LTO has merged modules
      return Existing;
    auto *Global = once(new GlobalVariable(M, Type, IsConstant, GlobalValue::LinkOnceODRLinkage, Initializer, Name));
    Global->setAlignment(Alignment);
    Global->setSanitizerMetadata(withoutRedZone());
    return Global;
  }

  static GlobalValue::SanitizerMetadata withoutRedZone() {
    GlobalValue::SanitizerMetadata NoRedZone;
    NoRedZone.NoAddress = NoRedZone.NoHWAddress = true;
    return NoRedZone;
  }

  // The symbol is weak, so that the object links and runs without the runtime. (An existing definition or declaration
  // changes in nothing else.)
  FunctionCallee entry(StringRef Name, ArrayRef<Type *> Parameters, Type *Result = nullptr) {
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(Result ? Result : Type::getVoidTy(M.getContext()), Parameters, false));
    if (auto *Target = dyn_cast<Function>(Callee.getCallee()); Target && Target->isDeclaration()) {
      Target->setLinkage(GlobalValue::ExternalWeakLinkage);
      Target->setDSOLocal(false);
      Target->setDoesNotThrow();
    }
    return Callee;
  }

  /// Jumps to another gate; the registers stay as they are.
  static void jumpTo(IRBuilder<> &Builder, Function *Gate, ArrayRef<Value *> Arguments) {
    CallInst *Call = Builder.CreateCall(Gate, Arguments);
    Call->setCallingConv(Gate->getCallingConv());
    Call->setDoesNotThrow();
    Call->setTailCallKind(CallInst::TCK_MustTail);
    Builder.CreateRetVoid();
  }

  static void letRuntimeWriteMap(Function &Gate, unsigned Argument) {
    Gate.removeParamAttr(Argument, Attribute::NoCapture);
    Gate.removeParamAttr(Argument, Attribute::ReadNone);
    Gate.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  }

  // The end of each gate: the runtime gets the place (the return address of the gate) and a frame.
  static void callWithPlace(IRBuilder<> &Builder, FunctionCallee Callee, ArrayRef<Value *> Before,
                            ArrayRef<Value *> Behind) {
    Function &Gate = *Builder.GetInsertBlock()->getParent();
    Gate.addFnAttr("frame-pointer", "all");
    Gate.addFnAttr(
        Attribute::OptimizeNone); // saves work in the code generator; the runtime costs much more than the gate
    SmallVector<Value *, 6> Arguments(Before);
    Arguments.push_back(Builder.CreateIntrinsic(Intrinsic::returnaddress, {}, {Builder.getInt32(0)}));
    Arguments.push_back(Builder.CreateIntrinsic(Intrinsic::frameaddress, {Builder.getPtrTy()}, {Builder.getInt32(0)}));
    Arguments.append(Behind.begin(), Behind.end());
    Builder.CreateCall(Callee, Arguments)->setDoesNotThrow();
    Builder.CreateRetVoid();
  }

  Function *hiddenFunction(StringRef Name, ArrayRef<Type *> Parameters, Type *Result = nullptr) {
    Type *Returned = Result ? Result : Type::getVoidTy(M.getContext());
    Function *Gate = once(Function::createWithDefaultAttr(FunctionType::get(Returned, Parameters, false),
                                                          GlobalValue::LinkOnceODRLinkage, 0, Name, &M));
    Gate->setCallingConv(CallingConv::PreserveMost);
    Gate->setDoesNotThrow();
    Gate->addFnAttr(Attribute::NoInline);
    Gate->addFnAttr(Attribute::Cold);
    Gate->removeFnAttr("frame-pointer"); // the caller's frame pointer stays where it is
    Gate->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (Argument &Argument : Gate->args())
      if (Argument.getType()->isPointerTy())
        Argument.addAttr(Attribute::NoCapture), Argument.addAttr(Attribute::ReadNone);
    return Gate;
  }
};

} // namespace mck
