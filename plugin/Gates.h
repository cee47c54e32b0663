// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a module needs besides the signals themselves: the filter's address, the gates that signals go through, the
// constructor that attaches the runtime. One of each per executable or shared library (hidden, in COMDATs). A gate
// keeps all general registers (preserve_most), so that the code around a signal does not suffer, and jumps or calls on
// with its own return address as the place.
#pragma once
#include "Assembled.h"
#include "Attach.h"
#include "abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <string>

namespace mck {
using namespace llvm;

class EntryPoints {
public:
  explicit EntryPoints(Module &M) : M(M) {
    Type *Pointer = PointerType::getUnqual(M.getContext());
    auto *Bytes = ArrayType::get(Type::getInt8Ty(M.getContext()), MCK_PAGES);
    // Never written, but no constant: those would be in the file.
    Nothing = global(versioned("mck.nothing"), Bytes, Constant::getNullValue(Bytes), /*IsConstant=*/false, Align(64));
    Pages = global(versioned("mck.pages"), Pointer, Nothing, /*IsConstant=*/false, Align(8));
    Seen = global(versioned("mck.seen"), Pointer, Nothing, /*IsConstant=*/false, Align(8));
    Watches = entry("__mck_watches", {Pointer, Pointer, Type::getInt32Ty(M.getContext())},
                    Type::getInt32Ty(M.getContext()));
    if (auto *Declaration = dyn_cast<Function>(Watches.getCallee()); Declaration && Declaration->isDeclaration())
      setAttributes(*Declaration);
    AccessAt = entry("__mck_access_at",
                     {Pointer, Type::getInt64Ty(M.getContext()), Type::getInt32Ty(M.getContext()), Pointer, Pointer});
    AccessMapped = entry("__mck_access_mapped", {Pointer, Type::getInt64Ty(M.getContext()),
                                                 Type::getInt32Ty(M.getContext()), Pointer, Pointer, Pointer});
    if (!M.getFunction(versioned("mck.attach"))) addConstructor();
  }

  /// Where a plain load or store of 1, 2, 4, 8 or 16 bytes goes; it spoils no general register of its caller.
  Function *gate(uint64_t Size, uint32_t Flags, bool IsMapped) {
    bool HasSeen = Size == 4 || Size == 8;
    if (!isPowerOf2_64(Size) || Size > 16 || (Flags & ~uint32_t(MCK_SIGNAL_STORE)) || (IsMapped && !HasSeen))
      return nullptr;
    std::string Name = (IsMapped ? "mck.map." : "mck.") + ((Flags ? "store" : "load") + std::to_string(Size));
    if (Function *Gate = M.getFunction(Name)) return Gate;
    if (IsAssembled && !IsMapped)
      return assembled(Name, {PointerType::getUnqual(M.getContext())},
                       assembleAccess(Name, Size, Flags, Seen->getName()));
    return HasSeen ? makeGate(Name, Size, Flags, IsMapped)
                   : makeNewGate(Name, {PointerType::getUnqual(M.getContext())}, Size, Flags);
  }

  /// The same with the test of the page in it, which is smaller and slower. Aligned, but for those of 16 bytes.
  Function *testGate(uint64_t Size, uint32_t Flags) {
    Function *Behind = gate(Size, Flags, /*IsMapped=*/false);
    if (!Behind) return nullptr;
    std::string Name = "mck.test." + Behind->getName().substr(strlen("mck.")).str();
    if (IsAssembled && !M.getFunction(Name))
      return assembled(Name, Behind->getFunctionType()->params(),
                       assembleTest(Name, Behind->getName(), Size, Flags, Pages->getName()));
    return makeTestGate(Name, Behind, [&](IRBuilder<> &Builder, Function &Gate) {
      Value *First = Builder.CreatePtrToInt(Gate.getArg(0), Builder.getInt64Ty());
      Value *Byte = pageByte(Builder, First);
      if (Size > 8)
        Byte = Builder.CreateOr(Byte, pageByte(Builder, Builder.CreateAdd(First, Builder.getInt64(Size - 1))));
      return Builder.CreateAnd(Byte, Builder.getInt8(Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS));
    });
  }

  /// Any access of at most a page, or a string, with the test in it: address, size << 8 | flags. A string's third page
  /// and so on are not looked at.
  Function *testAnyGate() {
    if (Function *Behind = accessGate(); IsAssembled && !M.getFunction("mck.test.access"))
      return assembled("mck.test.access", Behind->getFunctionType()->params(), assembleTestAny(Pages->getName()));
    return makeTestGate("mck.test.access", accessGate(), [&](IRBuilder<> &Builder, Function &Gate) {
      Value *First = Builder.CreatePtrToInt(Gate.getArg(0), Builder.getInt64Ty()), *What = Gate.getArg(1);
      Value *Size = Builder.CreateLShr(What, 8);
      Value *Byte = Builder.CreateOr(
          pageByte(Builder, First),
          pageByte(Builder, Builder.CreateSub(Builder.CreateAdd(First, Size), Builder.getInt64(1))));
      return Builder.CreateAnd(Byte, Builder.CreateTrunc(watchBits(Builder, What), Builder.getInt8Ty()));
    });
  }

  /// A range of any length, as the sweep gates take it, with the test in it. A size or count may be zero.
  Function *testSweepGate(unsigned Dimensions) {
    static const char *const Names[] = {"mck.test.range", "mck.test.sweep", "mck.test.grid"};
    return makeTestGate(
        Names[Dimensions], Dimensions ? sweepGate(Dimensions) : accessGate(),
        [&](IRBuilder<> &Builder, Function &Gate) {
          Value *Low = Builder.CreatePtrToInt(Gate.getArg(0), Builder.getInt64Ty()),
                *Size = Builder.CreateLShr(Gate.getArg(1), 8);
          Value *Zero = Builder.getInt64(0), *High = Builder.CreateAdd(Low, Size),
                *IsAny = Builder.CreateIsNotNull(Size);
          for (unsigned I = 2; I < Gate.arg_size(); I += 2) {
            Value *Count = Gate.getArg(I + 1),
                  *Span = Builder.CreateMul(Gate.getArg(I), Builder.CreateSub(Count, Builder.getInt64(1)));
            Low = Builder.CreateAdd(Low, Builder.CreateBinaryIntrinsic(Intrinsic::smin, Span, Zero));
            High = Builder.CreateAdd(High, Builder.CreateBinaryIntrinsic(Intrinsic::smax, Span, Zero));
            IsAny = Builder.CreateAnd(IsAny, Builder.CreateIsNotNull(Count));
          }
          CallInst *IsHit = Builder.CreateCall(
              rangeGate(), {Low, High, Builder.CreateTrunc(watchBits(Builder, Gate.getArg(1)), Builder.getInt32Ty())});
          IsHit->setCallingConv(CallingConv::PreserveMost);
          IsHit->setDoesNotThrow();
          return Builder.CreateAnd(IsHit, IsAny);
        });
  }

  /// Any access: address, size << 8 | flags.
  Function *accessGate() {
    if (Function *Gate = M.getFunction("mck.access")) return Gate;
    Type *Pointer = PointerType::getUnqual(M.getContext()), *Int64 = Type::getInt64Ty(M.getContext());
    if (IsAssembled) return assembled("mck.access", {Pointer, Int64}, assembleAny());
    Function *Gate = hiddenFunction("mck.access", {Pointer, Int64});
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Gate));
    Value *What = Gate->getArg(1);
    callWithPlace(Builder, AccessAt,
                  {Gate->getArg(0), Builder.CreateLShr(What, 8),
                   Builder.CreateTrunc(Builder.CreateAnd(What, 255), Builder.getInt32Ty())},
                  {});
    return Gate;
  }

  /// A range: first address, size << 8 | flags, then a stride and a count for each dimension.
  Function *sweepGate(unsigned Dimensions) {
    std::string Name = Dimensions == 1 ? "mck.sweep" : "mck.grid";
    if (Function *Gate = M.getFunction(Name)) return Gate;
    Type *Pointer = PointerType::getUnqual(M.getContext()), *Int64 = Type::getInt64Ty(M.getContext());
    SmallVector<Type *, 8> Parameters(2 + 2 * Dimensions, Int64);
    Parameters[0] = Pointer;
    Function *Gate = hiddenFunction(Name, Parameters);
    Parameters.append({Pointer, Pointer});
    FunctionCallee Callee = entry(Dimensions == 1 ? "__mck_access_range_at" : "__mck_access_grid_at", Parameters);
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Gate));
    SmallVector<Value *, 6> Arguments;
    for (Argument &Argument : Gate->args()) Arguments.push_back(&Argument);
    callWithPlace(Builder, Callee, Arguments, {});
    return Gate;
  }

  /// The pointer to its map (struct mck_map) that an access brings.
  GlobalVariable *map() {
    auto *Map = new GlobalVariable(M, Nothing->getType(), /*isConstant=*/false, GlobalValue::InternalLinkage, Nothing,
                                   "mck.map");
    Map->setAlignment(Align(8));
    Map->setSanitizerMetadata(withoutRedZone());
    return Map;
  }

  /// i1 (low, high, bits): has a page of [low, high) these bits? Its ends are looked at here, pages between by the
  /// runtime. Wild: the hull says nothing. A function, as it stands before each loop and is much code; it keeps all
  /// general registers.
  static constexpr uint32_t Wild = 256;
  Function *rangeGate() {
    if (Function *Gate = M.getFunction("mck.range.gate")) return Gate;
    LLVMContext &Context = M.getContext();
    Type *Int64 = Type::getInt64Ty(Context), *Int32 = Type::getInt32Ty(Context), *Int8 = Type::getInt8Ty(Context);
    Function *Gate = hiddenFunction("mck.range.gate", {Int64, Int64, Int32}, Type::getInt1Ty(Context));
    Gate->removeFnAttr(Attribute::Cold);
    Value *Low = Gate->getArg(0), *High = Gate->getArg(1), *Bits = Gate->getArg(2);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Short = BasicBlock::Create(Context, "", Gate),
               *Long = BasicBlock::Create(Context, "", Gate), *Ask = BasicBlock::Create(Context, "", Gate),
               *Say = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Value *First = Builder.CreateLShr(Low, MCK_PAGE_SHIFT);
    Value *Last = Builder.CreateLShr(Builder.CreateSub(High, Builder.getInt64(1)), MCK_PAGE_SHIFT);
    Value *IsLong = Builder.CreateICmpUGT(Builder.CreateSub(Last, First), Builder.getInt64(1));
    Value *IsWild = Builder.CreateIsNotNull(Builder.CreateAnd(Bits, Wild));
    Value *Filter = Builder.CreateLoad(Builder.getPtrTy(), Pages);
    Builder.CreateCondBr(Builder.CreateOr(IsLong, IsWild), Long, Short);
    Builder.SetInsertPoint(Short);
    auto Byte = [&](Value *Address) { return Builder.CreateLoad(Int8, pageSlot(Builder, Filter, Address)); };
    Value *Ends = Builder.CreateOr(Byte(Low), Byte(Builder.CreateSub(High, Builder.getInt64(1))));
    Builder.CreateRet(Builder.CreateIsNotNull(Builder.CreateAnd(Ends, Builder.CreateTrunc(Bits, Int8))));
    Builder.SetInsertPoint(Long); // without a runtime there is nobody to ask
    Value *IsAttached = Builder.CreateICmpNE(Filter, Nothing);
    Builder.CreateCondBr(Builder.CreateAnd(IsAttached, Builder.CreateNot(IsWild)), Ask, Say);
    Builder.SetInsertPoint(Say);
    Builder.CreateRet(IsAttached);
    Builder.SetInsertPoint(Ask);
    CallInst *Call = Builder.CreateCall(Watches, {Builder.CreateIntToPtr(Low, Builder.getPtrTy()),
                                                  Builder.CreateIntToPtr(High, Builder.getPtrTy()), Bits});
    Call->setDoesNotThrow();
    Builder.CreateRet(Builder.CreateIsNotNull(Call));
    return Gate;
  }

  /// The same of [low, high) and all else up to a distance from it, which may be negative.
  Function *spanGate() {
    if (Function *Gate = M.getFunction("mck.span.gate")) return Gate;
    LLVMContext &Context = M.getContext();
    Type *Int64 = Type::getInt64Ty(Context);
    Function *Gate = hiddenFunction("mck.span.gate", {Int64, Int64, Type::getInt32Ty(Context), Int64},
                                    Type::getInt1Ty(Context));
    Gate->removeFnAttr(Attribute::Cold);
    IRBuilder<> Builder(BasicBlock::Create(Context, "", Gate));
    Value *Zero = Builder.getInt64(0), *Span = Gate->getArg(3);
    CallInst *IsHit = Builder.CreateCall(
        rangeGate(), {Builder.CreateAdd(Gate->getArg(0), Builder.CreateBinaryIntrinsic(Intrinsic::smin, Span, Zero)),
                      Builder.CreateAdd(Gate->getArg(1), Builder.CreateBinaryIntrinsic(Intrinsic::smax, Span, Zero)),
                      Gate->getArg(2)});
    IsHit->setCallingConv(CallingConv::PreserveMost);
    IsHit->setDoesNotThrow();
    Builder.CreateRet(IsHit);
    return Gate;
  }

  /// Where the filter has its byte for this address (i64). The filter has as many as 32 bits of an address have pages:
  /// so a shift does without a mask.
  static Value *pageSlot(IRBuilder<> &Builder, Value *Filter, Value *Address) {
    static_assert(uint64_t(MCK_PAGES) << MCK_PAGE_SHIFT == uint64_t(1) << 32);
    Value *Page = Builder.CreateLShr(Builder.CreateTrunc(Address, Builder.getInt32Ty()), MCK_PAGE_SHIFT);
    return Builder.CreateInBoundsGEP(Builder.getInt8Ty(), Filter, Builder.CreateZExt(Page, Builder.getInt64Ty()));
  }

  GlobalVariable *Nothing;
  GlobalVariable *Pages;
  GlobalVariable *Seen;
  FunctionCallee AccessAt, AccessMapped, Watches;

private:
  Module &M;
  bool IsAssembled = canAssemble(M);

  Function *assembled(StringRef Name, ArrayRef<Type *> Parameters, const std::string &Text) {
    const auto *Runtime = dyn_cast<Function>(AccessAt.getCallee());
    if (!StringRef(M.getModuleInlineAsm()).contains("\nmck.tell:\n"))
      M.appendModuleInlineAsm(assembleTell(/*HasRuntime=*/!Runtime || !Runtime->isDeclaration()));
    M.appendModuleInlineAsm(Text);
    Function *Gate = hiddenFunction(Name, Parameters);
    Gate->setComdat(nullptr);
    Gate->setLinkage(GlobalValue::ExternalLinkage);
    return Gate;
  }

  // An object of another version keeps its own beside them, whatever is linked together.
  static std::string versioned(StringRef Name) { return (Name + ".v" + Twine(int(MCK_ABI_VERSION))).str(); }

  // Of size << 8 | flags.
  static Value *watchBits(IRBuilder<> &Builder, Value *What) {
    static_assert(MCK_WATCH_STORES == MCK_SIGNAL_STORE + 1 && MCK_WATCH_LOADS == 1);
    return Builder.CreateAdd(Builder.CreateAnd(What, MCK_SIGNAL_STORE), Builder.getInt64(1));
  }

  // The filter's byte for this address.
  Value *pageByte(IRBuilder<> &Builder, Value *Address) {
    return Builder.CreateLoad(Builder.getInt8Ty(),
                              pageSlot(Builder, Builder.CreateLoad(Builder.getPtrTy(), Pages), Address));
  }

  // Goes on in the gate behind it where Test says something but zero.
  Function *makeTestGate(const std::string &Name, Function *Behind,
                         function_ref<Value *(IRBuilder<> &, Function &)> Test) {
    if (Function *Gate = M.getFunction(Name)) return Gate;
    LLVMContext &Context = M.getContext();
    Function *Gate = hiddenFunction(Name, Behind->getFunctionType()->params());
    Gate->removeFnAttr(Attribute::Cold);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Hit = BasicBlock::Create(Context, "", Gate),
               *End = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Builder.CreateCondBr(Builder.CreateIsNotNull(Test(Builder, *Gate)), Hit, End);
    Builder.SetInsertPoint(Hit);
    SmallVector<Value *, 2> Arguments;
    for (Argument &Argument : Gate->args()) Arguments.push_back(&Argument);
    jumpTo(Builder, Behind, Arguments);
    Builder.SetInsertPoint(End);
    Builder.CreateRetVoid();
    return Gate;
  }

  // They touch nothing that the program can see.
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
    if (GlobalVariable *Existing = M.getNamedGlobal(Name)) // merged by LTO
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

  // Weak, so that the object links and runs without the runtime. (A definition or a declaration that is already
  // there stays what it is, but for that.)
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

  // Was it seen already (struct mck_seen)? Else the runtime is called, with the return address as the place.
  Function *makeGate(StringRef Name, uint64_t Size, uint32_t Flags, bool IsMapped) {
    LLVMContext &Context = M.getContext();
    Type *Pointer = PointerType::getUnqual(Context);
    SmallVector<Type *, 2> Parameters(IsMapped ? 2 : 1, Pointer);
    Function *Gate = hiddenFunction(Name, Parameters);
    if (IsMapped) letRuntimeWriteMap(*Gate, 1);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Within = BasicBlock::Create(Context, "", Gate),
               *New = BasicBlock::Create(Context, "", Gate), *End = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Type *Int64 = Builder.getInt64Ty(), *Int8 = Builder.getInt8Ty();
    Value *Known = Builder.CreateLoad(Pointer, Seen);
    auto Field = [&](uint64_t Offset, Type *T) {
      return Builder.CreateLoad(T, Builder.CreatePtrAdd(Known, Builder.getInt64(Offset)));
    };
    Value *Offset = Builder.CreateSub(Builder.CreatePtrToInt(Gate->getArg(0), Int64), Field(0, Int64));
    // Rotated, an offset between cells is beyond the end, too.
    Value *Index = Size == 8 ? Builder.CreateIntrinsic(Intrinsic::fshr, {Int64}, {Offset, Offset, Builder.getInt64(3)})
                             : Builder.CreateLShr(Offset, 3);
    Value *IsWithin = Builder.CreateICmpULT(Index, Field(8, Int64));
    if (Size != 8) IsWithin = Builder.CreateAnd(IsWithin, Builder.CreateIsNull(Builder.CreateAnd(Offset, Size - 1)));
    Builder.CreateCondBr(IsWithin, Within, New);
    Builder.SetInsertPoint(Within);
    Value *Bits = Builder.CreateLoad(Int8, Builder.CreateInBoundsGEP(Int8, Field(16, Pointer), Index));
    Value *Wanted = Builder.getInt8(uint8_t((Size == 8 ? 15 : 3) << (Flags ? 4 : 0)));
    if (Size == 4)
      Bits = Builder.CreateLShr(Bits, Builder.CreateTrunc(Builder.CreateLShr(Builder.CreateAnd(Offset, 4), 1), Int8));
    Builder.CreateCondBr(Builder.CreateICmpEQ(Builder.CreateAnd(Bits, Wanted), Wanted), End, New);
    Builder.SetInsertPoint(New);
    SmallVector<Value *, 2> Arguments;
    for (Argument &Argument : Gate->args()) Arguments.push_back(&Argument);
    jumpTo(Builder, makeNewGate((Name + ".new").str(), Parameters, Size, Flags), Arguments);
    Builder.SetInsertPoint(End);
    Builder.CreateRetVoid();
    return Gate;
  }

  /// Goes on in another gate, with the registers as they are.
  static void jumpTo(IRBuilder<> &Builder, Function *Gate, ArrayRef<Value *> Arguments) {
    CallInst *Call = Builder.CreateCall(Gate, Arguments);
    Call->setCallingConv(CallingConv::PreserveMost);
    Call->setDoesNotThrow();
    Call->setTailCallKind(CallInst::TCK_MustTail);
    Builder.CreateRetVoid();
  }

  static void letRuntimeWriteMap(Function &Gate, unsigned Argument) {
    Gate.removeParamAttr(Argument, Attribute::NoCapture);
    Gate.removeParamAttr(Argument, Attribute::ReadNone);
    Gate.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  }

  // What is new: a function of its own, so that the gate itself saves few registers. The gate jumps there, so it
  // returns to the access.
  Function *makeNewGate(StringRef Name, ArrayRef<Type *> Parameters, uint64_t Size, uint32_t Flags) {
    Function *Gate = hiddenFunction(Name, Parameters);
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Gate));
    bool IsMapped = Parameters.size() > 1;
    if (IsMapped) letRuntimeWriteMap(*Gate, 1);
    SmallVector<Value *, 1> Map;
    if (IsMapped) Map.push_back(Gate->getArg(1));
    callWithPlace(Builder, IsMapped ? AccessMapped : AccessAt,
                  {Gate->getArg(0), Builder.getInt64(Size), Builder.getInt32(Flags)}, Map);
    return Gate;
  }

  // All that is left to do in a gate: the runtime gets the place, which is where the gate returns to, and a frame.
  static void callWithPlace(IRBuilder<> &Builder, FunctionCallee Callee, ArrayRef<Value *> Before,
                            ArrayRef<Value *> Behind) {
    Function &Gate = *Builder.GetInsertBlock()->getParent();
    Gate.addFnAttr("frame-pointer", "all");
    Gate.addFnAttr(Attribute::OptimizeNone); // less work for the code generator; the runtime does much more
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
    Gate->removeFnAttr("frame-pointer"); // the caller's stays where it is
    Gate->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (Argument &Argument : Gate->args())
      if (Argument.getType()->isPointerTy())
        Argument.addAttr(Attribute::NoCapture), Argument.addAttr(Attribute::ReadNone);
    return Gate;
  }

  void addConstructor() {
    LLVMContext &Context = M.getContext();
    Type *Int32 = Type::getInt32Ty(Context);
    FunctionCallee Attach = entry("__mck_attach",
                                  {Int32, PointerType::getUnqual(Context), PointerType::getUnqual(Context)});
    Function *Constructor = once(Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(Context), false),
                                                                 GlobalValue::LinkOnceODRLinkage, 0,
                                                                 versioned("mck.attach"), &M));
    attach(M, Constructor, Attach, {ConstantInt::get(Int32, MCK_ABI_VERSION), Pages, Seen});
  }
};

} // namespace mck
