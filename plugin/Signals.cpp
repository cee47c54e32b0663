// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Signals.h"
#include "abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <map>
#include <tuple>

using namespace llvm;
using mck::Access;
using mck::Cluster;
using mck::RangeTest;
using mck::Sweep;

namespace {

constexpr uint64_t PageBytes = uint64_t(1) << MCK_PAGE_SHIFT;

// First of all constructors, so that the constructors of the user's C++ objects are seen already.
constexpr int AttachPriority = 1;

/// What a module needs besides the signals themselves; one of each per executable or shared library.
class EntryPoints {
public:
  explicit EntryPoints(Module &M) : M(M) {
    Type *Pointer = PointerType::getUnqual(M.getContext());
    auto *Bytes = ArrayType::get(Type::getInt8Ty(M.getContext()), MCK_PAGES);
    // Never written, but no constant: those would be in the file.
    Nothing = global("mck.nothing", Bytes, Constant::getNullValue(Bytes), /*IsConstant=*/false, Align(64));
    Pages = global("mck.pages", Pointer, Nothing, /*IsConstant=*/false, Align(8));
    Seen = global("mck.seen", Pointer, Nothing, /*IsConstant=*/false, Align(8));
    Watches = entry("__mck_watches", {Pointer, Pointer, Type::getInt32Ty(M.getContext())}, Type::getInt32Ty(M.getContext()));
    if (auto *Declaration = dyn_cast<Function>(Watches.getCallee()); Declaration && Declaration->isDeclaration())
      setAttributes(*Declaration);
    AccessAt = entry("__mck_access_at", {Pointer, Type::getInt64Ty(M.getContext()), Type::getInt32Ty(M.getContext()), Pointer, Pointer});
    AccessMapped =
        entry("__mck_access_mapped", {Pointer, Type::getInt64Ty(M.getContext()), Type::getInt32Ty(M.getContext()), Pointer, Pointer, Pointer});
    if (!M.getFunction("mck.attach"))
      addConstructor();
  }

  /// Where a plain load or store of 4 or 8 bytes goes; it spoils no general register of its caller.
  Function *gate(uint64_t Size, uint32_t Flags, bool IsMapped) {
    if ((Size != 4 && Size != 8) || (Flags & ~uint32_t(MCK_SIGNAL_STORE)))
      return nullptr;
    std::string Name = (IsMapped ? "mck.map." : "mck.") + ((Flags ? "store" : "load") + std::to_string(Size));
    if (Function *Gate = M.getFunction(Name))
      return Gate;
    return makeGate(Name, Size, Flags, IsMapped);
  }

  /// The same with the test of the page in it, which is smaller and slower.
  Function *testGate(uint64_t Size, uint32_t Flags) {
    Function *Behind = gate(Size, Flags, /*IsMapped=*/false);
    if (!Behind)
      return nullptr;
    std::string Name = "mck.test." + Behind->getName().substr(strlen("mck.")).str();
    if (Function *Gate = M.getFunction(Name))
      return Gate;
    LLVMContext &Context = M.getContext();
    Function *Gate = hiddenFunction(Name, {PointerType::getUnqual(Context)});
    Gate->removeFnAttr(Attribute::Cold);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Hit = BasicBlock::Create(Context, "", Gate),
               *End = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Type *Int8 = Builder.getInt8Ty();
    Value *Page = Builder.CreateAnd(Builder.CreateLShr(Builder.CreatePtrToInt(Gate->getArg(0), Builder.getInt64Ty()), MCK_PAGE_SHIFT), MCK_PAGES - 1);
    Value *Byte = Builder.CreateLoad(Int8, Builder.CreateInBoundsGEP(Int8, Builder.CreateLoad(Builder.getPtrTy(), Pages), Page));
    uint8_t Bits = Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS;
    Builder.CreateCondBr(Builder.CreateIsNotNull(Builder.CreateAnd(Byte, Builder.getInt8(Bits))), Hit, End);
    Builder.SetInsertPoint(Hit);
    CallInst *Call = Builder.CreateCall(Behind, {Gate->getArg(0)});
    Call->setCallingConv(CallingConv::PreserveMost);
    Call->setDoesNotThrow();
    Call->setTailCallKind(CallInst::TCK_MustTail);
    Builder.CreateRetVoid();
    Builder.SetInsertPoint(End);
    Builder.CreateRetVoid();
    return Gate;
  }

  /// Any access: address, size << 8 | flags.
  Function *accessGate() {
    if (Function *Gate = M.getFunction("mck.access"))
      return Gate;
    Type *Pointer = PointerType::getUnqual(M.getContext()), *Int64 = Type::getInt64Ty(M.getContext());
    Function *Gate = hiddenFunction("mck.access", {Pointer, Int64});
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Gate));
    Value *What = Gate->getArg(1);
    callWithPlace(Builder, AccessAt, {Gate->getArg(0), Builder.CreateLShr(What, 8),
                                      Builder.CreateTrunc(Builder.CreateAnd(What, 255), Builder.getInt32Ty())}, {});
    return Gate;
  }

  /// A range: first address, size << 8 | flags, then a stride and a count for each dimension.
  Function *sweepGate(unsigned Dimensions) {
    std::string Name = Dimensions == 1 ? "mck.sweep" : "mck.grid";
    if (Function *Gate = M.getFunction(Name))
      return Gate;
    Type *Pointer = PointerType::getUnqual(M.getContext()), *Int64 = Type::getInt64Ty(M.getContext());
    SmallVector<Type *, 8> Parameters(2 + 2 * Dimensions, Int64);
    Parameters[0] = Pointer;
    Function *Gate = hiddenFunction(Name, Parameters);
    Parameters.append({Pointer, Pointer});
    FunctionCallee Callee = entry(Dimensions == 1 ? "__mck_access_range_at" : "__mck_access_grid_at", Parameters);
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Gate));
    SmallVector<Value *, 6> Arguments;
    for (Argument &Argument : Gate->args())
      Arguments.push_back(&Argument);
    callWithPlace(Builder, Callee, Arguments, {});
    return Gate;
  }

  /// The pointer to its map (struct mck_map) that an access brings.
  GlobalVariable *map() {
    auto *Map = new GlobalVariable(M, Nothing->getType(), /*isConstant=*/false, GlobalValue::InternalLinkage, Nothing, "mck.map");
    Map->setAlignment(Align(8));
    Map->setSanitizerMetadata(withoutRedZone());
    return Map;
  }

  /// i1 (low, high, bits): has a page of [low, high) these bits? Its ends are looked at here, pages between by the runtime. Wild: the hull says
  /// nothing. A function, as it stands before each loop and is much code; it keeps all general registers.
  static constexpr uint32_t Wild = 256;
  Function *rangeGate() {
    if (Function *Gate = M.getFunction("mck.range.gate"))
      return Gate;
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
    auto Byte = [&](Value *Page) {
      return Builder.CreateLoad(Int8, Builder.CreateInBoundsGEP(Int8, Filter, Builder.CreateAnd(Page, MCK_PAGES - 1)));
    };
    Value *Ends = Builder.CreateOr(Byte(First), Byte(Last));
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

  GlobalVariable *Nothing;
  GlobalVariable *Pages;
  GlobalVariable *Seen;
  FunctionCallee AccessAt, AccessMapped, Watches;

private:
  Module &M;

  // They touch nothing that the program can see.
  static void setAttributes(Function &Declaration) {
    Declaration.addFnAttr(Attribute::Cold);
    Declaration.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (Argument &Argument : Declaration.args())
      if (Argument.getType()->isPointerTy())
        Argument.addAttr(Attribute::NoCapture), Argument.addAttr(Attribute::ReadNone);
  }

  template <class T> T *once(T *Global) {
    Global->setVisibility(GlobalValue::HiddenVisibility);
    Global->setDSOLocal(true);
    Global->setComdat(M.getOrInsertComdat(Global->getName()));
    return Global;
  }

  GlobalVariable *global(StringRef Name, Type *Type, Constant *Initializer, bool IsConstant, Align Alignment) {
    if (GlobalVariable *Existing = M.getNamedGlobal(Name)) // merged by LTO
      return Existing;
    auto *Global = once(
        new GlobalVariable(M, Type, IsConstant, GlobalValue::LinkOnceODRLinkage, Initializer, Name));
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
    if (IsMapped)
      letRuntimeWriteMap(*Gate, 1);
    BasicBlock *Entry = BasicBlock::Create(Context, "", Gate), *Within = BasicBlock::Create(Context, "", Gate),
               *New = BasicBlock::Create(Context, "", Gate), *End = BasicBlock::Create(Context, "", Gate);
    IRBuilder<> Builder(Entry);
    Type *Int64 = Builder.getInt64Ty(), *Int8 = Builder.getInt8Ty();
    Value *Known = Builder.CreateLoad(Pointer, Seen);
    auto Field = [&](uint64_t Offset, Type *T) { return Builder.CreateLoad(T, Builder.CreatePtrAdd(Known, Builder.getInt64(Offset))); };
    Value *Offset = Builder.CreateSub(Builder.CreatePtrToInt(Gate->getArg(0), Int64), Field(0, Int64));
    // Rotated, an offset between cells is beyond the end, too.
    Value *Index = Size == 8 ? Builder.CreateIntrinsic(Intrinsic::fshr, {Int64}, {Offset, Offset, Builder.getInt64(3)}) : Builder.CreateLShr(Offset, 3);
    Value *IsWithin = Builder.CreateICmpULT(Index, Field(8, Int64));
    if (Size != 8)
      IsWithin = Builder.CreateAnd(IsWithin, Builder.CreateIsNull(Builder.CreateAnd(Offset, Size - 1)));
    Builder.CreateCondBr(IsWithin, Within, New);
    Builder.SetInsertPoint(Within);
    Value *Bits = Builder.CreateLoad(Int8, Builder.CreateInBoundsGEP(Int8, Field(16, Pointer), Index));
    Value *Wanted = Builder.getInt8(uint8_t((Size == 8 ? 15 : 3) << (Flags ? 4 : 0)));
    if (Size == 4)
      Bits = Builder.CreateLShr(Bits, Builder.CreateTrunc(Builder.CreateLShr(Builder.CreateAnd(Offset, 4), 1), Int8));
    Builder.CreateCondBr(Builder.CreateICmpEQ(Builder.CreateAnd(Bits, Wanted), Wanted), End, New);
    Builder.SetInsertPoint(New);
    SmallVector<Value *, 2> Arguments;
    for (Argument &Argument : Gate->args())
      Arguments.push_back(&Argument);
    CallInst *Call = Builder.CreateCall(makeNewGate((Name + ".new").str(), Parameters, Size, Flags), Arguments);
    Call->setCallingConv(CallingConv::PreserveMost);
    Call->setDoesNotThrow();
    Call->setTailCallKind(CallInst::TCK_MustTail);
    Builder.CreateRetVoid();
    Builder.SetInsertPoint(End);
    Builder.CreateRetVoid();
    return Gate;
  }

  static void letRuntimeWriteMap(Function &Gate, unsigned Argument) {
    Gate.removeParamAttr(Argument, Attribute::NoCapture);
    Gate.removeParamAttr(Argument, Attribute::ReadNone);
    Gate.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  }

  // What is new: a function of its own, so that the gate itself saves few registers. The gate jumps there, so it returns to the access.
  Function *makeNewGate(StringRef Name, ArrayRef<Type *> Parameters, uint64_t Size, uint32_t Flags) {
    Function *Gate = hiddenFunction(Name, Parameters);
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Gate));
    bool IsMapped = Parameters.size() > 1;
    if (IsMapped)
      letRuntimeWriteMap(*Gate, 1);
    SmallVector<Value *, 1> Map;
    if (IsMapped)
      Map.push_back(Gate->getArg(1));
    callWithPlace(Builder, IsMapped ? AccessMapped : AccessAt, {Gate->getArg(0), Builder.getInt64(Size), Builder.getInt32(Flags)}, Map);
    return Gate;
  }

  // All that is left to do in a gate: the runtime gets the place, which is where the gate returns to, and a frame.
  static void callWithPlace(IRBuilder<> &Builder, FunctionCallee Callee, ArrayRef<Value *> Before, ArrayRef<Value *> Behind) {
    Builder.GetInsertBlock()->getParent()->addFnAttr("frame-pointer", "all");
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
    FunctionCallee Attach = entry("__mck_attach", {Int32, PointerType::getUnqual(Context), PointerType::getUnqual(Context)});
    Function *Constructor =
        once(Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(Context), false),
                                             GlobalValue::LinkOnceODRLinkage, 0, "mck.attach", &M));
    Constructor->setDoesNotThrow();
    BasicBlock *Entry = BasicBlock::Create(Context, "", Constructor);
    BasicBlock *Call = BasicBlock::Create(Context, "", Constructor);
    BasicBlock *End = BasicBlock::Create(Context, "", Constructor);
    IRBuilder<> Builder(Entry);
    Builder.CreateCondBr(Builder.CreateIsNotNull(Attach.getCallee()), Call, End);
    Builder.SetInsertPoint(Call);
    Builder.CreateCall(Attach, {Builder.getInt32(MCK_ABI_VERSION), Pages, Seen});
    Builder.CreateBr(End);
    Builder.SetInsertPoint(End);
    Builder.CreateRetVoid();
    appendToGlobalCtors(M, Constructor, AttachPriority, /*Data=*/Constructor);
  }
};

constexpr uint8_t watchBits(uint32_t Flags) { return Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS; }

/// Everything it inserts has the access's place.
struct PlacedBuilder : IRBuilder<> {
  PlacedBuilder(Instruction *Before, const DebugLoc &Place) : IRBuilder<>(Before) { SetCurrentDebugLocation(Place); }
};

class Inserter {
public:
  explicit Inserter(Function &F)
      : F(F), Gate(*F.getParent()),
        Unlikely(MDBuilder(F.getContext()).createUnlikelyBranchWeights()) {}

  /// A range before the loop, on the cold side of the loop's test.
  void insertRange(const Access &A, const Sweep &S, Value *Hit) {
    setPlace(A);
    Instruction *&Cold = ColdSides[{S.Before, Hit, S.Guard}];
    if (!Cold)
      Cold = branch(S.Guard ? before(S.Before).CreateLogicalAnd(Hit, S.Guard) : Hit, S.Before);
    PlacedBuilder Builder = before(Cold);
    auto Signal = [&](uint64_t Offset, Value *Size) {
      Value *Address =
          Builder.CreateIntToPtr(Builder.CreateAdd(S.Start, Builder.getInt64(Offset)), Builder.getPtrTy());
      if (S.Dimensions.empty())
        return call(Builder, Address, Size, A.Flags);
      SmallVector<Value *, 6> Arguments{Address, pack(Builder, Size, A.Flags)};
      for (const Sweep::Dimension &D : S.Dimensions)
        Arguments.append({D.Step, D.Count});
      callGate(Builder, Gate.sweepGate(unsigned(S.Dimensions.size())), Arguments);
    };
    if (A.Lanes.empty())
      return Signal(0, S.Size ? S.Size : Builder.getInt64(A.Size.getFixedValue()));
    forEachRun(A, [&](unsigned Lane, unsigned End) { Signal(Lane * A.LaneSize, Builder.getInt64((End - Lane) * A.LaneSize)); });
  }

  /// What only the cold sides of loops need is computed there.
  void sinkArguments() {
    for (auto &[Key, Cold] : ColdSides) {
      BasicBlock *Block = Cold->getParent();
      // Backwards: a user is in the block before its operands are looked at.
      for (Instruction *At = Cold; At; At = At->getPrevNode())
        for (Value *Operand : At->operands()) {
          auto *I = dyn_cast<Instruction>(Operand);
          bool CanMove = I && I->getParent() != Block && !isa<PHINode>(I) && !I->isTerminator() && !I->mayReadOrWriteMemory() &&
                         !I->mayThrow() && !isa<AllocaInst>(I) && !isa<CallBase>(I) &&
                         all_of(I->users(), [&](User *U) { return cast<Instruction>(U)->getParent() == Block; });
          if (!CanMove)
            continue;
          Instruction *First = At;
          for (User *U : I->users())
            if (cast<Instruction>(U)->comesBefore(First))
              First = cast<Instruction>(U);
          I->moveBefore(First);
        }
    }
  }

  /// In place of the loop's test.
  void insertTest(const RangeTest &T) {
    Instruction *Hit = T.Hit;
    Place = Hit->getDebugLoc();
    if (!Place && F.getSubprogram())
      Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
    PlacedBuilder Builder = before(Hit);
    Value *Bits = Builder.getInt32(T.Bits);
    if (T.IsWild)
      Bits = Builder.CreateSelect(T.IsWild, Builder.getInt32(T.Bits | EntryPoints::Wild), Bits);
    CallInst *Call = Builder.CreateCall(Gate.rangeGate(), {T.Low, T.High, Bits});
    Call->setCallingConv(CallingConv::PreserveMost);
    Call->setDoesNotThrow();
    Hit->replaceAllUsesWith(Call);
    Hit->eraseFromParent();
  }

  void insertCluster(const Cluster &C, ArrayRef<Access> Accesses) {
    const Access &Leader = Accesses[C.Members.front().Index];
    setPlace(Leader);
    PlacedBuilder Builder = before(Leader.Before);
    Value *Pages = loadPages(Builder);
    Value *Start = toInteger(Builder, Leader.Address);
    auto At = [&](int64_t Offset) { return Offset ? Builder.CreateAdd(Start, Builder.getInt64(uint64_t(Offset))) : Start; };
    Value *Ends = Builder.CreateOr(pageByte(Builder, Pages, At(C.Low)), pageByte(Builder, Pages, At(C.High - 1)));
    uint8_t Bits = uint8_t((C.HasLoads ? MCK_WATCH_LOADS : 0) | (C.Flags ? MCK_WATCH_STORES : 0));
    Instruction *Cold = branch(Builder.CreateIsNotNull(Builder.CreateAnd(Ends, Builder.getInt8(Bits))), Leader.Before);
    for (const Cluster::Member &M : C.Members) {
      const Access &A = Accesses[M.Index];
      setPlace(A);
      PlacedBuilder ColdBuilder = before(Cold);
      Value *Address = M.Offset ? ColdBuilder.CreatePtrAdd(Leader.Address, ColdBuilder.getInt64(uint64_t(M.Offset))) : Leader.Address;
      call(ColdBuilder, Address, ColdBuilder.getInt64(A.Size.getFixedValue()), A.Flags);
    }
  }

  /// Where it happens; if Hit, the loop's test says whether it is of interest.
  void insert(const Access &A, const Sweep &S, Value *Hit) {
    setPlace(A);
    if (A.Address->getType()->isVectorTy())
      return insertPerPointer(A);

    PlacedBuilder Builder = before(A.Before);
    Value *Length = A.Length;
    if (Length)
      Length = Builder.CreateZExtOrTrunc(Length, Builder.getInt64Ty());
    else if (A.Size.isScalable())
      Length = Builder.CreateTypeSize(Builder.getInt64Ty(), A.Size);
    Value *Address = A.Offset ? Builder.CreatePtrAdd(A.Address, Builder.getInt64(uint64_t(A.Offset))) : A.Address;
    if (S.IsRare && A.isWhole() && A.Alignment.value() >= A.Size.getFixedValue())
      if (Function *Function = Gate.testGate(A.Size.getFixedValue(), A.Flags))
        return callGate(Builder, Function, {Address});
    Value *IsHit = Hit ? Hit : A.IsString ? testString(Builder, Address, A.Flags) : Length ? testVariable(Builder, Address, Length, A.Flags) : testConstant(Builder, Address, A);
    if (A.Guard) {
      Value *IsUsed = Builder.CreateFreeze(A.Guard); // a select may choose by poison, a branch may not
      IsHit = Builder.CreateAnd(IsHit, A.GuardValue ? IsUsed : Builder.CreateNot(IsUsed));
    }
    Instruction *Cold = branch(IsHit, A.Before);
    if (!A.Lanes.empty())
      return callPerLane(A, Cold);
    if (!Hit && S.IsHot && !Length && !A.Guard)
      if (Function *Function = Gate.gate(A.Size.getFixedValue(), A.Flags, /*IsMapped=*/true))
        return mark(Function, Address, A.Size.getFixedValue(), Cold);
    PlacedBuilder ColdBuilder = before(Cold);
    call(ColdBuilder, Address, Length ? Length : ColdBuilder.getInt64(A.Size), A.Flags | (A.IsString ? MCK_SIGNAL_STRING : 0));
  }

private:
  std::map<std::tuple<Instruction *, Value *, Value *>, Instruction *> ColdSides; // of loops: where, the test, the guard
  Function &F;
  EntryPoints Gate;
  MDNode *Unlikely;
  DebugLoc Place;

  PlacedBuilder before(Instruction *I) { return PlacedBuilder(I, Place); }

  // The end of a new block that is entered when the condition holds.
  Instruction *branch(Value *Condition, Instruction *Before) {
    return SplitBlockAndInsertIfThen(Condition, Before->getIterator(), /*Unreachable=*/false, Unlikely);
  }

  void setPlace(const Access &A) {
    Place = (A.Call ? A.Call : A.Before)->getDebugLoc();
    if (!Place && F.getSubprogram()) // a call without a place is invalid in a function that has places
      Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
  }

  // Has the access a map with this element (struct mck_map)? Then a byte of it is set, without a look at what it was, since whether a cell is
  // touched for the first time is what no branch predictor knows.
  void mark(Function *MapGate, Value *Address, uint64_t Size, Instruction *Cold) {
    PlacedBuilder Builder = before(Cold);
    Type *Pointer = Builder.getPtrTy(), *Int64 = Builder.getInt64Ty();
    GlobalVariable *Slot = Gate.map();
    Value *Map = hiddenLoad(Builder, Pointer, Slot, Align(8));
    auto Field = [&](IRBuilder<> &At, uint64_t Offset, Type *T) { return hiddenLoad(At, T, At.CreatePtrAdd(Map, At.getInt64(Offset)), Align(8)); };
    Value *Offset = Builder.CreateSub(toInteger(Builder, Address), Field(Builder, 0, Int64));
    // Rotated, an offset between elements is beyond the end, too.
    Value *Element = Builder.CreateIntrinsic(Intrinsic::fshr, {Int64}, {Offset, Offset, Builder.getInt64(Log2_64(Size))});
    Value *IsWithin = Builder.CreateICmpULT(Element, Field(Builder, 8, Int64));
    Instruction *Marked, *Told;
    SplitBlockAndInsertIfThenElse(IsWithin, Cold->getIterator(), &Marked, &Told, MDBuilder(F.getContext()).createLikelyBranchWeights());
    PlacedBuilder Mark = before(Marked);
    StoreInst *Store = Mark.CreateStore(Mark.getInt8(1), Mark.CreateInBoundsGEP(Mark.getInt8Ty(), Field(Mark, 16, Pointer), Element));
    Store->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(F.getContext(), {}));
    PlacedBuilder Tell = before(Told);
    callGate(Tell, MapGate, {Address, Slot});
  }

  void call(IRBuilder<> &Builder, Value *Address, Value *Size, uint32_t Flags) {
    const auto *Constant = dyn_cast<ConstantInt>(Size);
    if (Function *Function = Constant ? Gate.gate(Constant->getZExtValue(), Flags, /*IsMapped=*/false) : nullptr)
      return callGate(Builder, Function, {Address});
    callGate(Builder, Gate.accessGate(), {Address, pack(Builder, Size, Flags)});
  }

  static Value *pack(IRBuilder<> &Builder, Value *Size, uint32_t Flags) {
    return Builder.CreateOr(Builder.CreateShl(Size, 8), Builder.getInt64(Flags));
  }

  void callGate(IRBuilder<> &Builder, Function *Function, ArrayRef<Value *> Arguments) {
    CallInst *Call = Builder.CreateCall(Function, Arguments);
    Call->setCallingConv(CallingConv::PreserveMost);
    Call->setDoesNotThrow();
    Call->addFnAttr(Attribute::NoMerge); // the return address is the place
  }

  LoadInst *hiddenLoad(IRBuilder<> &Builder, Type *Type, Value *From, Align Alignment) {
    LoadInst *Load = Builder.CreateAlignedLoad(Type, From, Alignment);
    Load->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(F.getContext(), {}));
    return Load;
  }

  // It changes once, before anything else of the object runs; so it may stay in a register.
  Value *loadPages(IRBuilder<> &Builder) {
    LoadInst *Load = hiddenLoad(Builder, Builder.getPtrTy(), Gate.Pages, Align(8));
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(F.getContext(), {}));
    return Load;
  }

  // The filter's byte for this address. x86: mov, shr, movzx, and test with the byte in memory, beside the filter's address.
  Value *pageByte(IRBuilder<> &Builder, Value *Pages, Value *Address) {
    Value *Index = Builder.CreateAnd(Builder.CreateLShr(Address, MCK_PAGE_SHIFT), MCK_PAGES - 1);
    return hiddenLoad(Builder, Builder.getInt8Ty(), Builder.CreateInBoundsGEP(Builder.getInt8Ty(), Pages, Index), Align(1));
  }

  static Value *isWatched(IRBuilder<> &Builder, Value *Byte, uint32_t Flags) {
    return Builder.CreateIsNotNull(Builder.CreateAnd(Byte, Builder.getInt8(watchBits(Flags))));
  }

  static Value *toInteger(IRBuilder<> &Builder, Value *Pointer) {
    return Builder.CreatePtrToInt(Pointer, Builder.getInt64Ty());
  }

  Value *isAttached(IRBuilder<> &Builder, Value *Pages) { return Builder.CreateICmpNE(Pages, Gate.Nothing); }

  Value *testConstant(IRBuilder<> &Builder, Value *Address, const Access &A) {
    uint64_t Size = A.Size.getFixedValue();
    Value *Pages = loadPages(Builder);
    if (Size > PageBytes) // may have whole pages between its first and its last byte
      return isAttached(Builder, Pages);
    Value *First = toInteger(Builder, Address);
    Value *Test = pageByte(Builder, Pages, First);
    if (A.Alignment.value() < Size)
      Test = Builder.CreateOr(Test, pageByte(Builder, Pages, Builder.CreateAdd(First, Builder.getInt64(Size - 1))));
    return isWatched(Builder, Test, A.Flags);
  }

  // Up to a page as above, without branches: beside the copy itself this is nothing, a call would not be.
  Value *testVariable(IRBuilder<> &Builder, Value *Address, Value *Length, uint32_t Flags) {
    Value *Pages = loadPages(Builder);
    Value *First = toInteger(Builder, Address);
    Value *Last = Builder.CreateSub(Builder.CreateAdd(First, Length), Builder.getInt64(1));
    Value *Ends = Builder.CreateOr(pageByte(Builder, Pages, First), pageByte(Builder, Pages, Last));
    Value *IsLong = Builder.CreateAnd(Builder.CreateICmpUGT(Length, Builder.getInt64(PageBytes)),
                                      isAttached(Builder, Pages));
    return Builder.CreateAnd(Builder.CreateOr(isWatched(Builder, Ends, Flags), IsLong), Builder.CreateIsNotNull(Length));
  }

  // How long it is the runtime finds out. Strings of more than a page are looked at in their first two.
  Value *testString(IRBuilder<> &Builder, Value *Address, uint32_t Flags) {
    Value *Pages = loadPages(Builder);
    Value *First = toInteger(Builder, Address);
    return isWatched(Builder, Builder.CreateOr(pageByte(Builder, Pages, First), pageByte(Builder, Pages, Builder.CreateAdd(First, Builder.getInt64(PageBytes - 1)))),
                     Flags);
  }

  // Lanes next to each other.
  static void forEachRun(const Access &A, function_ref<void(unsigned Lane, unsigned End)> Do) {
    for (unsigned Lane = 0, Count = A.Lanes.size(); Lane < Count;) {
      unsigned End = Lane + 1;
      if (A.Lanes.test(Lane)) {
        while (!A.Mask && End < Count && A.Lanes.test(End))
          ++End;
        Do(Lane, End);
      }
      Lane = End;
    }
  }

  // On the cold side: each run of lanes in one call, or each lane under its own bit of the mask.
  void callPerLane(const Access &A, Instruction *Cold) {
    forEachRun(A, [&](unsigned Lane, unsigned End) {
      Instruction *Then = Cold;
      if (A.Mask) {
        PlacedBuilder Builder = before(Cold);
        Value *IsOn = Builder.CreateFreeze(Builder.CreateExtractElement(A.Mask, Lane));
        Then = SplitBlockAndInsertIfThen(IsOn, Cold->getIterator(), /*Unreachable=*/false);
      }
      PlacedBuilder Builder = before(Then);
      Value *Address = Builder.CreatePtrAdd(A.Address, Builder.getInt64(Lane * A.LaneSize));
      call(Builder, Address, Builder.getInt64((End - Lane) * A.LaneSize), A.Flags);
    });
  }

  // Gather and scatter: every lane has its own page.
  void insertPerPointer(const Access &A) {
    for (unsigned Lane = 0; Lane < A.Lanes.size(); ++Lane) {
      if (!A.Lanes.test(Lane))
        continue;
      PlacedBuilder Builder = before(A.Before);
      // A lane that is off may hold any address, even none; its page can be looked up all the same.
      Value *Address = Builder.CreateFreeze(Builder.CreateExtractElement(A.Address, Lane));
      Value *IsHit = testConstant(Builder, Address, A);
      if (A.Mask)
        IsHit = Builder.CreateAnd(IsHit, Builder.CreateFreeze(Builder.CreateExtractElement(A.Mask, Lane)));
      PlacedBuilder Cold = before(branch(IsHit, A.Before));
      call(Cold, Address, Cold.getInt64(A.LaneSize), A.Flags);
    }
  }
};

} // namespace

void mck::gatherAllocas(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  Instruction *Top = &*Entry.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &I : make_early_inc_range(make_range(Top->getIterator(), Entry.end()))) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (Alloca && isa<Constant>(Alloca->getArraySize()) && !Alloca->isUsedWithInAlloca())
      Alloca->moveBefore(Top);
  }
}

void mck::insertSignals(Function &F, ArrayRef<Access> Accesses, ArrayRef<Sweep> Sweeps, ArrayRef<RangeTest> Tests,
                        ArrayRef<Cluster> Clusters) {
  if (Accesses.empty())
    return;
  gatherAllocas(F);
  Inserter Inserter(F);
  auto HitOf = [&](size_t I) -> Value * { return Sweeps[I].Test < 0 ? nullptr : Tests[unsigned(Sweeps[I].Test)].Hit; };
  for (size_t I = 0; I < Accesses.size(); ++I)
    if (Sweeps[I].Before)
      Inserter.insertRange(Accesses[I], Sweeps[I], HitOf(I));
  Inserter.sinkArguments();
  DenseMap<unsigned, const Cluster *> ClusterOf;
  for (const Cluster &C : Clusters)
    for (const Cluster::Member &M : C.Members)
      ClusterOf[M.Index] = &C;
  // Backwards, so that cutting a block never moves what was already cut off: linear in the size of a block.
  for (size_t I = Accesses.size(); I-- > 0;)
    if (!Sweeps[I].Before && !ClusterOf.count(unsigned(I)))
      Inserter.insert(Accesses[I], Sweeps[I], HitOf(I));
    else if (const Cluster *C = ClusterOf.lookup(unsigned(I)); C && C->Members.front().Index == I)
      Inserter.insertCluster(*C, Accesses);
  for (const RangeTest &Test : Tests)
    Inserter.insertTest(Test);
  if (Function *Placeholder = F.getParent()->getFunction("mck.range"))
    Placeholder->eraseFromParent();
  // It now calls something that has a memory of its own.
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::NoSync);
}
