// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a module needs besides the signals: the filter's address, the gates that signals go through, and the constructor
// that attaches the runtime. Each exists once per executable or shared library (hidden, in COMDATs). A gate preserves
// all general registers (preserve_most), and where it is assembly those of vectors, too (preserve_all), so the code
// around a signal stays as fast as it was. It passes its own return address to the runtime as the place.
#pragma once
#include "Assembled.h"
#include "Attach.h"
#include "GateParts.h"
#include "abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <string>

namespace mck {
using namespace llvm;

class EntryPoints : GateParts {
public:
  explicit EntryPoints(Module &M) : GateParts(M) {
    Type *Pointer = PointerType::getUnqual(M.getContext());
    auto *Bytes = ArrayType::get(Type::getInt8Ty(M.getContext()), MCK_FILTER_BYTES);
    // It is never written, but it is no constant: a constant would take room in the file.
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

  /// The gate of a plain load or store of 1, 2, 4, 8 or 16 bytes. It changes no general register of its caller.
  Function *gate(uint64_t Size, uint32_t Flags, bool IsMapped) {
    bool HasSeen = Size == 4 || Size == 8 || Size == 16;
    if (!isPowerOf2_64(Size) || Size > 16 || (Flags & ~uint32_t(MCK_SIGNAL_STORE)) ||
        (IsMapped && Size != 4 && Size != 8))
      return nullptr;
    std::string Name = Prefix + (IsMapped ? "map." : "") + (Flags ? "store" : "load") + std::to_string(Size);
    if (Function *Gate = M.getFunction(Name)) return Gate;
    if (IsAssembled) return assembledAccess(Name, Size, Flags, IsMapped);
    return HasSeen ? makeGate(Name, Size, Flags, IsMapped)
                   : makeNewGate(Name, {PointerType::getUnqual(M.getContext())}, Size, Flags);
  }

  /// The same gate with the test of the page inside, which is smaller and slower. For aligned accesses, except 16
  /// bytes.
  Function *testGate(uint64_t Size, uint32_t Flags) {
    Function *Behind = gate(Size, Flags, /*IsMapped=*/false);
    if (!Behind) return nullptr;
    std::string Name = Prefix + "test." + Behind->getName().substr(Prefix.size()).str();
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

  /// Any access of at most a page, or a string, with the test inside. Arguments: address, size << 8 | flags. Of a
  /// string only the first two pages are tested.
  Function *testAnyGate() {
    std::string Name = Prefix + "test.access";
    if (Function *Behind = accessGate(); IsAssembled && !M.getFunction(Name))
      return assembled(Name, Behind->getFunctionType()->params(), assembleTestAny(Prefix, Pages->getName()));
    return makeTestGate(Name, accessGate(), [&](IRBuilder<> &Builder, Function &Gate) {
      Value *First = Builder.CreatePtrToInt(Gate.getArg(0), Builder.getInt64Ty()), *What = Gate.getArg(1);
      Value *Size = Builder.CreateLShr(What, 8);
      Value *Byte = Builder.CreateOr(
          pageByte(Builder, First),
          pageByte(Builder, Builder.CreateSub(Builder.CreateAdd(First, Size), Builder.getInt64(1))));
      return Builder.CreateAnd(Byte, Builder.CreateTrunc(watchBits(Builder, What), Builder.getInt8Ty()));
    });
  }

  /// A range of any length, as the sweep gates take it, with the test inside. A size or count may be zero.
  Function *testSweepGate(unsigned Dimensions) {
    static const char *const Names[] = {"test.range", "test.sweep", "test.grid"};
    std::string Name = (Dimensions == 2 ? "mck." : Prefix) + Names[Dimensions];
    Function *Behind = Dimensions ? sweepGate(Dimensions) : accessGate();
    if (IsAssembled && Dimensions < 2 && !M.getFunction(Name)) {
      rangeGate();
      if (Dimensions) appendToCompilerUsed(M, {Behind}); // only assembly jumps there
      Function *Gate = assembled(Name, Behind->getFunctionType()->params(),
                                 assembleTestRange(Name, Behind->getName(), Dimensions == 1, Prefix, Pages->getName()));
      Gate->setCallingConv(Behind->getCallingConv());
      Gate->removeFnAttr(Attribute::Cold);
      return Gate;
    }
    return makeTestGate(
        Name, Behind,
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
          IsHit->setCallingConv(rangeGate()->getCallingConv());
          IsHit->setDoesNotThrow();
          return Builder.CreateAnd(IsHit, IsAny);
        },
        /*HasQuick=*/true);
  }

  /// Any access. Arguments: address, size << 8 | flags.
  Function *accessGate() {
    std::string Name = Prefix + "access";
    if (Function *Gate = M.getFunction(Name)) return Gate;
    Type *Pointer = PointerType::getUnqual(M.getContext()), *Int64 = Type::getInt64Ty(M.getContext());
    if (IsAssembled) return assembled(Name, {Pointer, Int64}, assembleAny(Prefix));
    Function *Gate = hiddenFunction(Name, {Pointer, Int64});
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Gate));
    Value *What = Gate->getArg(1);
    callWithPlace(Builder, AccessAt,
                  {Gate->getArg(0), Builder.CreateLShr(What, 8),
                   Builder.CreateTrunc(Builder.CreateAnd(What, 255), Builder.getInt32Ty())},
                  {});
    return Gate;
  }

  /// A range. Arguments: first address, size << 8 | flags, then a stride and a count for each dimension.
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

  /// The pointer to the map (struct mck_map) of an access.
  GlobalVariable *map() {
    auto *Map = new GlobalVariable(M, Nothing->getType(), /*isConstant=*/false, GlobalValue::InternalLinkage, Nothing,
                                   "mck.map");
    Map->setAlignment(Align(8));
    Map->setSanitizerMetadata(withoutRedZone());
    return Map;
  }

  /// i1 (low, high, bits): does a page of [low, high) have these bits? The function tests both ends, the runtime tests
  /// the pages between. Wild: the hull is unknown, so any page of interest counts. It is a function because each loop
  /// needs it and it is much code; it preserves all general registers.
  static constexpr uint32_t Wild = 256;
  Function *rangeGate() {
    std::string Name = Prefix + "range.gate";
    if (Function *Gate = M.getFunction(Name)) return Gate;
    LLVMContext &Context = M.getContext();
    Type *Int64 = Type::getInt64Ty(Context), *Int32 = Type::getInt32Ty(Context), *Int8 = Type::getInt8Ty(Context);
    if (IsAssembled) {
      const auto *Runtime = dyn_cast<Function>(Watches.getCallee());
      bool HasRuntime = !Runtime || !Runtime->isDeclaration();
      Function *Gate = assembled(Name, {Int64, Int64, Int32}, assembleRange(Prefix, Pages->getName(), HasRuntime),
                                 Type::getInt1Ty(Context));
      Gate->removeFnAttr(Attribute::Cold);
      return Gate;
    }
    Function *Gate = hiddenFunction(Name, {Int64, Int64, Int32}, Type::getInt1Ty(Context));
    Gate->removeFnAttr(Attribute::Cold);
    Value *Low = Gate->getArg(0), *High = Gate->getArg(1), *Bits = Gate->getArg(2);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Any = BasicBlock::Create(Context, "", Gate),
               *Short = BasicBlock::Create(Context, "", Gate), *Long = BasicBlock::Create(Context, "", Gate),
               *None = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Value *Filter = Builder.CreateLoad(Builder.getPtrTy(), Pages);
    Builder.CreateCondBr(isAny(Builder, Filter), Any, None);
    Builder.SetInsertPoint(None);
    Builder.CreateRet(Builder.getFalse());
    Builder.SetInsertPoint(Any);
    Value *First = Builder.CreateLShr(Low, MCK_PAGE_SHIFT);
    Value *Last = Builder.CreateLShr(Builder.CreateSub(High, Builder.getInt64(1)), MCK_PAGE_SHIFT);
    Value *IsLong = Builder.CreateICmpUGT(Builder.CreateSub(Last, First), Builder.getInt64(1));
    Value *IsWild = Builder.CreateIsNotNull(Builder.CreateAnd(Bits, Wild));
    Builder.CreateCondBr(Builder.CreateOr(IsLong, IsWild), Long, Short);
    Builder.SetInsertPoint(Short);
    auto Byte = [&](Value *Address) { return Builder.CreateLoad(Int8, pageSlot(Builder, Filter, Address)); };
    Value *Ends = Builder.CreateOr(Byte(Low), Byte(Builder.CreateSub(High, Builder.getInt64(1))));
    Builder.CreateRet(Builder.CreateIsNotNull(Builder.CreateAnd(Ends, Builder.CreateTrunc(Bits, Int8))));
    Builder.SetInsertPoint(Long);
    CallInst *Call = Builder.CreateCall(longRangeGate(), {Low, High, Bits});
    Call->setCallingConv(CallingConv::PreserveMost);
    Call->setDoesNotThrow();
    Call->setTailCallKind(CallInst::TCK_MustTail);
    Builder.CreateRet(Call);
    return Gate;
  }

  /// The same for [low, high), and for the bytes up to a distance from it, which may be negative.
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
    IsHit->setCallingConv(rangeGate()->getCallingConv());
    IsHit->setDoesNotThrow();
    Builder.CreateRet(IsHit);
    return Gate;
  }

  /// i1 (address, second, levels << 8 | bits): has an object a page with these bits (__mck_watches_object)?
  Function *objectGate() {
    if (Function *Gate = M.getFunction("mck.test.object")) return Gate;
    LLVMContext &Context = M.getContext();
    Type *Int64 = Type::getInt64Ty(Context), *Int32 = Type::getInt32Ty(Context);
    Function *Gate = hiddenFunction("mck.test.object", {Int64, Int64, Int32}, Type::getInt1Ty(Context));
    Gate->removeFnAttr(Attribute::Cold);
    Gate->setMemoryEffects(MemoryEffects::readOnly() | MemoryEffects::inaccessibleMemOnly()); // it loads pointers
    FunctionCallee Runtime = entry("__mck_watches_object", {Int64, Int64, Int32}, Int32);
    IRBuilder<> Builder(BasicBlock::Create(Context, "", Gate));
    CallInst *Call = Builder.CreateCall(Runtime, {Gate->getArg(0), Gate->getArg(1), Gate->getArg(2)});
    Call->setDoesNotThrow();
    Builder.CreateRet(Builder.CreateIsNotNull(Call));
    return Gate;
  }

  using GateParts::pageSlot;

  GlobalVariable *Nothing;
  GlobalVariable *Pages;
  GlobalVariable *Seen;
  FunctionCallee AccessAt, AccessMapped, Watches;

private:
  bool IsAssembled = canAssemble(M);
  std::string Prefix = IsAssembled ? gatePrefix(M) : "mck.";

  // The rest of rangeGate, for when some page is of interest: the runtime looks at many pages.
  Function *longRangeGate() {
    if (Function *Gate = M.getFunction("mck.range.long")) return Gate;
    LLVMContext &Context = M.getContext();
    Type *Int64 = Type::getInt64Ty(Context), *Int32 = Type::getInt32Ty(Context);
    Function *Gate = hiddenFunction("mck.range.long", {Int64, Int64, Int32}, Type::getInt1Ty(Context));
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Ask = BasicBlock::Create(Context, "", Gate),
               *Say = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Builder.CreateCondBr(Builder.CreateIsNotNull(Builder.CreateAnd(Gate->getArg(2), Wild)), Say, Ask);
    Builder.SetInsertPoint(Say);
    Builder.CreateRet(Builder.getTrue());
    Builder.SetInsertPoint(Ask);
    CallInst *Call = Builder.CreateCall(Watches,
                                        {Builder.CreateIntToPtr(Gate->getArg(0), Builder.getPtrTy()),
                                         Builder.CreateIntToPtr(Gate->getArg(1), Builder.getPtrTy()), Gate->getArg(2)});
    Call->setDoesNotThrow();
    Builder.CreateRet(Builder.CreateIsNotNull(Call));
    return Gate;
  }

  // Also defines what the gates of this prefix jump to.
  Function *assembled(StringRef Name, ArrayRef<Type *> Parameters, const std::string &Text, Type *Result = nullptr) {
    needTell("tell", /*IsMapped=*/false);
    M.appendModuleInlineAsm(Text);
    Function *Gate = hiddenFunction(Name, Parameters, Result);
    Gate->setCallingConv(CallingConv::PreserveAll);
    Gate->setComdat(nullptr);
    Gate->setLinkage(GlobalValue::ExternalLinkage);
    return Gate;
  }

  Function *assembledAccess(StringRef Name, uint64_t Size, uint32_t Flags, bool IsMapped) {
    SmallVector<Type *, 2> Parameters(IsMapped ? 2 : 1, PointerType::getUnqual(M.getContext()));
    if (IsMapped) needTell("tell.map", IsMapped);
    Function *Gate = assembled(
        Name, Parameters,
        assembleAccess(Name, Prefix + (IsMapped ? "tell.map" : "tell"), Size, Flags, Seen->getName()));
    if (IsMapped) letRuntimeWriteMap(*Gate, 1);
    return Gate;
  }

  void needTell(StringRef Name, bool IsMapped) {
    const auto *Runtime = dyn_cast<Function>((IsMapped ? AccessMapped : AccessAt).getCallee());
    if (!StringRef(M.getModuleInlineAsm()).contains(("\n" + Prefix + Name + ":\n").str()))
      M.appendModuleInlineAsm(assembleTell(Prefix, IsMapped, /*HasRuntime=*/!Runtime || !Runtime->isDeclaration()));
  }

  // The filter's byte for this address.
  Value *pageByte(IRBuilder<> &Builder, Value *Address) {
    return Builder.CreateLoad(Builder.getInt8Ty(),
                              pageSlot(Builder, Builder.CreateLoad(Builder.getPtrTy(), Pages), Address));
  }

  // Jumps to the next gate where Test is not zero.
  Function *makeTestGate(const std::string &Name, Function *Behind,
                         function_ref<Value *(IRBuilder<> &, Function &)> Test, bool HasQuick = false) {
    if (Function *Gate = M.getFunction(Name)) return Gate;
    if (HasQuick) Behind = makeTestGate(Name + ".any", Behind, Test);
    LLVMContext &Context = M.getContext();
    Function *Gate = hiddenFunction(Name, Behind->getFunctionType()->params());
    Gate->setCallingConv(Behind->getCallingConv());
    Gate->removeFnAttr(Attribute::Cold);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Hit = BasicBlock::Create(Context, "", Gate),
               *End = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Builder.CreateCondBr(HasQuick ? isAny(Builder, Builder.CreateLoad(Builder.getPtrTy(), Pages))
                                  : Builder.CreateIsNotNull(Test(Builder, *Gate)),
                         Hit, End);
    Builder.SetInsertPoint(Hit);
    SmallVector<Value *, 2> Arguments;
    for (Argument &Argument : Gate->args()) Arguments.push_back(&Argument);
    jumpTo(Builder, Behind, Arguments);
    Builder.SetInsertPoint(End);
    Builder.CreateRetVoid();
    return Gate;
  }

  // Is the access recorded already (the cells of __mck_attach)? Otherwise the runtime is called; the return address is
  // the place.
  Function *makeGate(StringRef Name, uint64_t Size, uint32_t Flags, bool IsMapped) {
    LLVMContext &Context = M.getContext();
    Type *Pointer = PointerType::getUnqual(Context);
    SmallVector<Type *, 2> Parameters(IsMapped ? 2 : 1, Pointer);
    Function *Gate = hiddenFunction(Name, Parameters);
    if (IsMapped) letRuntimeWriteMap(*Gate, 1);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Aligned = BasicBlock::Create(Context, "", Gate),
               *New = BasicBlock::Create(Context, "", Gate), *End = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Type *Int64 = Builder.getInt64Ty(), *Int8 = Builder.getInt8Ty();
    Value *Address = Builder.CreatePtrToInt(Gate->getArg(0), Int64);
    Value *IsAligned = Builder.CreateIsNull(Builder.CreateAnd(Address, std::min(Size, uint64_t(8)) - 1));
    Builder.CreateCondBr(IsAligned, Aligned, New);
    Builder.SetInsertPoint(Aligned);
    Type *Cells = Builder.getIntNTy(Size > 8 ? 16 : 8);
    Value *Index = Builder.CreateAnd(Builder.CreateLShr(Address, MCK_CELL_SHIFT), MCK_CELLS - 1);
    Value *Bits = Builder.CreateAlignedLoad(
        Cells, Builder.CreateInBoundsGEP(Int8, Builder.CreateLoad(Pointer, Seen), Index), Align(1));
    Value *Wanted = ConstantInt::get(Cells, uint64_t(Size > 8 ? 0x0f0f : Size == 8 ? 15 : 3) << (Flags ? 4 : 0));
    if (Size == 4)
      Bits = Builder.CreateLShr(Bits, Builder.CreateTrunc(Builder.CreateLShr(Builder.CreateAnd(Address, 4), 1), Int8));
    Builder.CreateCondBr(Builder.CreateICmpEQ(Builder.CreateAnd(Bits, Wanted), Wanted), End, New);
    Builder.SetInsertPoint(New);
    SmallVector<Value *, 2> Arguments;
    for (Argument &Argument : Gate->args()) Arguments.push_back(&Argument);
    jumpTo(Builder, makeNewGate((Name + ".new").str(), Parameters, Size, Flags), Arguments);
    Builder.SetInsertPoint(End);
    Builder.CreateRetVoid();
    return Gate;
  }

  // An access that is new goes to a function of its own, so that the gate itself saves few registers. The gate jumps
  // there, so that function returns to the access.
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
