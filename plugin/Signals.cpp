// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts signals, tests of the page filter and their gates (Signals.h).
#include "Signals.h"
#include "Filter.h"
#include "Gates.h"
#include "abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>
#include <tuple>

using namespace llvm;
using mck::Access;
using mck::Cluster;
using mck::EntryPoints;
using mck::Filter;
using mck::PageBytes;
using mck::RangeTest;
using mck::Sweep;

namespace {

/// All inserted code has the access's place.
struct PlacedBuilder : IRBuilder<> {
  PlacedBuilder(Instruction *Before, const DebugLoc &Place) : IRBuilder<>(Before) { SetCurrentDebugLocation(Place); }
};

class Inserter {
public:
  explicit Inserter(Function &F)
      : F(F), Gate(*F.getParent()), Pages(Gate), Unlikely(MDBuilder(F.getContext()).createUnlikelyBranchWeights()) {}

  /// Signals a range before the loop, on the cold side of the loop's test, or with a test of its own.
  void insertRange(const Access &A, const Sweep &S, Value *Hit) {
    setPlace(A);
    if (!Hit) return insertTestedRange(A, S);
    Instruction *&Cold = ColdSides[{S.Before, Hit, S.Guard}];
    if (!Cold) Cold = branch(S.Guard ? before(S.Before).CreateLogicalAnd(Hit, S.Guard) : Hit, S.Before);
    PlacedBuilder Builder = before(Cold);
    auto Signal = [&](uint64_t Offset, Value *Size) {
      Value *Address = Builder.CreateIntToPtr(Builder.CreateAdd(S.Start, Builder.getInt64(uint64_t(S.Offset) + Offset)),
                                              Builder.getPtrTy());
      if (S.Dimensions.empty()) return call(Builder, Address, Size, A.Flags);
      SmallVector<Value *, 6> Arguments{Address, pack(Builder, Size, A.Flags)};
      for (const Sweep::Dimension &D : S.Dimensions) Arguments.append({D.Step, D.Count});
      callGate(Builder, Gate.sweepGate(unsigned(S.Dimensions.size())), Arguments);
    };
    if (A.Lanes.empty()) return Signal(0, S.Size ? S.Size : Builder.getInt64(A.Size.getFixedValue()));
    forEachRun(A, [&](unsigned Lane, unsigned End) {
      Signal(Lane * A.LaneSize, Builder.getInt64((End - Lane) * A.LaneSize));
    });
  }

  void insertTestedRange(const Access &A, const Sweep &S) {
    Instruction *At = S.Before;
    if (S.Guard) {
      Instruction *&Guarded = ColdSides[{S.Before, nullptr, S.Guard}];
      if (!Guarded) Guarded = SplitBlockAndInsertIfThen(S.Guard, S.Before->getIterator(), /*Unreachable=*/false);
      At = Guarded;
    }
    PlacedBuilder Builder = before(At);
    Value *Address = Builder.CreateIntToPtr(Builder.CreateAdd(S.Start, Builder.getInt64(uint64_t(S.Offset))),
                                            Builder.getPtrTy());
    if (S.Dimensions.empty() && !S.Size && A.Size.getFixedValue() <= PageBytes)
      return callTestGate(Builder, Address, A);
    SmallVector<Value *, 6> Arguments{
        Address, pack(Builder, S.Size ? S.Size : Builder.getInt64(A.Size.getFixedValue()), A.Flags)};
    for (const Sweep::Dimension &D : S.Dimensions) Arguments.append({D.Step, D.Count});
    callGate(Builder, Gate.testSweepGate(unsigned(S.Dimensions.size())), Arguments);
  }

  /// Moves computations that only the cold sides of loops need to these sides.
  void sinkArguments() {
    for (auto &[Key, Cold] : ColdSides) {
      BasicBlock *Block = Cold->getParent();
      // It goes backwards: a user is moved before its operands are visited.
      for (Instruction *At = Cold; At; At = At->getPrevNode())
        for (Value *Operand : At->operands()) {
          auto *I = dyn_cast<Instruction>(Operand);
          bool CanMove = I && I->getParent() != Block && !isa<PHINode>(I) && !I->isTerminator() &&
                         !I->mayReadOrWriteMemory() && !I->mayThrow() && !isa<AllocaInst>(I) && !isa<CallBase>(I) &&
                         all_of(I->users(), [&](User *U) { return cast<Instruction>(U)->getParent() == Block; });
          if (!CanMove) continue;
          Instruction *First = At;
          for (User *U : I->users())
            if (cast<Instruction>(U)->comesBefore(First)) First = cast<Instruction>(U);
          I->moveBefore(First);
        }
    }
  }

  /// Replaces the placeholder of the loop's test.
  void insertTest(const RangeTest &T) {
    Instruction *Hit = T.Hit;
    Place = Hit->getDebugLoc();
    if (!Place && F.getSubprogram()) Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
    PlacedBuilder Builder = before(Hit);
    Value *Bits = Builder.getInt32(T.Bits);
    if (T.IsWild) Bits = Builder.CreateSelect(T.IsWild, Builder.getInt32(T.Bits | EntryPoints::Wild), Bits);
    CallInst *Call = Builder.CreateCall(Gate.rangeGate(), {T.Low, T.High, Bits});
    Call->setCallingConv(Gate.rangeGate()->getCallingConv());
    Call->setDoesNotThrow();
    Hit->replaceAllUsesWith(Call);
    Hit->eraseFromParent();
  }

  void insertCluster(const Cluster &C, ArrayRef<Access> Accesses, bool IsHot) {
    const Access &Leader = Accesses[C.Members.front().Index];
    setPlace(Leader);
    PlacedBuilder Builder = before(Leader.Before);
    Value *Start = Filter::toInteger(Builder, Leader.Address);
    uint8_t Bits = uint8_t((C.HasLoads ? MCK_WATCH_LOADS : 0) | (C.Flags ? MCK_WATCH_STORES : 0));
    auto At = [&](IRBuilder<> &Builder, Value *From, int64_t Multiple, int64_t Offset) {
      if (Multiple) From = Builder.CreateAdd(From, Builder.CreateMul(C.Unit, Builder.getInt64(uint64_t(Multiple))));
      return Offset ? Builder.CreateAdd(From, Builder.getInt64(uint64_t(Offset))) : From;
    };
    Value *IsHit;
    if (C.Unit) {
      Value *First = At(Builder, Start, C.LowMultiple, 0);
      CallInst *Call = Builder.CreateCall(
          Gate.spanGate(), {At(Builder, First, 0, C.Low), At(Builder, First, 0, C.High), Builder.getInt32(Bits),
                            Builder.CreateMul(C.Unit, Builder.getInt64(uint64_t(C.HighMultiple - C.LowMultiple)))});
      Call->setCallingConv(Gate.spanGate()->getCallingConv());
      Call->setDoesNotThrow();
      IsHit = Call;
    } else {
      IsHit = Pages.testEnds(Builder, At(Builder, Start, 0, C.Low), At(Builder, Start, 0, C.High - 1), Bits);
    }
    Instruction *Cold = branch(IsHit, Leader.Before);
    if (uint64_t Cells = IsHot ? cellsOf(C, Accesses) : 0) {
      PlacedBuilder ColdBuilder = before(Cold);
      Cold = branch(Pages.testCells(ColdBuilder, At(ColdBuilder, Start, 0, C.Low), Cells), Cold);
    }
    Value *Last = Start;
    int64_t LastMultiple = 0;
    for (const Cluster::Member &M : C.Members) {
      const Access &A = Accesses[M.Index];
      setPlace(A);
      PlacedBuilder ColdBuilder = before(Cold);
      if (M.Multiple != LastMultiple)
        Last = At(ColdBuilder, Last, M.Multiple - LastMultiple, 0), LastMultiple = M.Multiple;
      Value *Address = ColdBuilder.CreateIntToPtr(At(ColdBuilder, Last, 0, M.Offset), ColdBuilder.getPtrTy());
      if (C.Unit) // pages between the members may be of no interest
        callTestGate(ColdBuilder, Address, A);
      else call(ColdBuilder, Address, ColdBuilder.getInt64(A.Size.getFixedValue()), A.Flags);
    }
  }

  /// Signals an access where it happens. Hit, if not null, is the result of the loop's test.
  void insert(const Access &A, const Sweep &S, Value *Hit) {
    setPlace(A);
    if (A.Address->getType()->isVectorTy()) return insertPerPointer(A);

    PlacedBuilder Builder = before(A.Before);
    Value *Length = A.Length;
    if (Length) Length = Builder.CreateZExtOrTrunc(Length, Builder.getInt64Ty());
    else if (A.Size.isScalable()) Length = Builder.CreateTypeSize(Builder.getInt64Ty(), A.Size);
    Value *Address = A.Offset ? Builder.CreatePtrAdd(A.Address, Builder.getInt64(uint64_t(A.Offset))) : A.Address;
    if (!Hit && S.IsRare && A.isWhole() && A.Size.getFixedValue() <= PageBytes)
      return callTestGate(Builder, Address, A);
    Value *IsHit = Hit          ? Hit
                   : A.IsString ? Pages.testString(Builder, Address, A.Flags)
                   : Length     ? Pages.testVariable(Builder, Address, Length, A.Flags)
                                : Pages.testConstant(Builder, Address, A);
    if (A.Guard) {
      Value *IsUsed = Builder.CreateFreeze(A.Guard); // a select may depend on poison, a branch may not
      IsHit = Builder.CreateAnd(IsHit, A.GuardValue ? IsUsed : Builder.CreateNot(IsUsed));
    }
    Instruction *Cold = branch(IsHit, A.Before);
    if (!A.Lanes.empty()) return callPerLane(A, Cold);
    // Some page of the loop's hull is of interest. Mostly this access's is not.
    if (PlacedBuilder ColdBuilder = before(Cold); Hit && A.isWhole() && A.Size.getFixedValue() <= PageBytes)
      return callTestGate(ColdBuilder, Address, A);
    if (!Hit && S.IsHot && !Length && !A.Guard)
      if (Function *Function = Gate.gate(A.Size.getFixedValue(), A.Flags, /*IsMapped=*/true))
        return mark(Function, Address, A.Size.getFixedValue(), Cold);
    PlacedBuilder ColdBuilder = before(Cold);
    call(ColdBuilder, Address, Length ? Length : ColdBuilder.getInt64(A.Size),
         A.Flags | (A.IsString ? MCK_SIGNAL_STRING : 0));
  }

private:
  std::map<std::tuple<Instruction *, Value *, Value *>, Instruction *> ColdSides; // of loops: the place, the test, the
                                                                                  // guard
  Function &F;
  EntryPoints Gate;
  Filter Pages;
  MDNode *Unlikely;
  DebugLoc Place;

  // The bits that all cells of a cluster have once it is recorded, a byte for each cell from C.Low on (abi.h). 0: they
  // are no whole cells, or too many.
  static uint64_t cellsOf(const Cluster &C, ArrayRef<Access> Accesses) {
    constexpr int64_t Cell = 1 << MCK_CELL_SHIFT;
    uint64_t Bits = 0;
    if (C.Unit || C.High - C.Low > 8 * Cell || C.Low % Cell || Accesses[C.Members.front().Index].Alignment < Cell)
      return 0;
    for (const Cluster::Member &M : C.Members) {
      const Access &A = Accesses[M.Index];
      int64_t Size = int64_t(A.Size.getFixedValue());
      if ((M.Offset | Size) % Cell || (A.Flags & ~uint32_t(MCK_SIGNAL_STORE))) return 0;
      for (int64_t At = M.Offset - C.Low; At < M.Offset - C.Low + Size; At += Cell)
        Bits |= uint64_t(A.Flags ? 0xf0 : 0x0f) << At;
    }
    return Bits;
  }

  PlacedBuilder before(Instruction *I) { return PlacedBuilder(I, Place); }

  // Returns the end of a new block that is entered when the condition holds.
  Instruction *branch(Value *Condition, Instruction *Before) {
    return SplitBlockAndInsertIfThen(Condition, Before->getIterator(), /*Unreachable=*/false, Unlikely);
  }

  void setPlace(const Access &A) {
    Place = (A.Call ? A.Call : A.Before)->getDebugLoc();
    if (!Place && F.getSubprogram()) // a call without a place is invalid in a function that has places
      Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
  }

  // Does the access have a map with this element (struct mck_map)? Then a byte of the map is set, without a test of its
  // old value: no branch predictor can know whether a cell is touched for the first time.
  void mark(Function *MapGate, Value *Address, uint64_t Size, Instruction *Cold) {
    PlacedBuilder Builder = before(Cold);
    Type *Pointer = Builder.getPtrTy(), *Int64 = Builder.getInt64Ty();
    GlobalVariable *Slot = Gate.map();
    Value *Map = Filter::hiddenLoad(Builder, Pointer, Slot, Align(8));
    auto Field = [&](IRBuilder<> &At, uint64_t Offset, Type *T) {
      return Filter::hiddenLoad(At, T, At.CreatePtrAdd(Map, At.getInt64(Offset)), Align(8));
    };
    Value *Offset = Builder.CreateSub(Filter::toInteger(Builder, Address), Field(Builder, 0, Int64));
    // Rotated, an offset between two elements lies beyond the end, too.
    Value *Element = Builder.CreateIntrinsic(Intrinsic::fshr, {Int64},
                                             {Offset, Offset, Builder.getInt64(Log2_64(Size))});
    Value *IsWithin = Builder.CreateICmpULT(Element, Field(Builder, 8, Int64));
    Instruction *Marked, *Told;
    SplitBlockAndInsertIfThenElse(IsWithin, Cold->getIterator(), &Marked, &Told,
                                  MDBuilder(F.getContext()).createLikelyBranchWeights());
    PlacedBuilder Mark = before(Marked);
    StoreInst *Store = Mark.CreateStore(Mark.getInt8(1),
                                        Mark.CreateInBoundsGEP(Mark.getInt8Ty(), Field(Mark, 16, Pointer), Element));
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

  // The gate contains the test, too.
  void callTestGate(IRBuilder<> &Builder, Value *Address, const Access &A) {
    uint64_t Size = A.Size.getFixedValue();
    Function *Function = A.Alignment.value() >= Size || Size == 16 ? Gate.testGate(Size, A.Flags) : nullptr;
    if (Function) return callGate(Builder, Function, {Address});
    callGate(Builder, Gate.testAnyGate(), {Address, pack(Builder, Builder.getInt64(Size), A.Flags)});
  }

  static Value *pack(IRBuilder<> &Builder, Value *Size, uint32_t Flags) {
    return Builder.CreateOr(Builder.CreateShl(Size, 8), Builder.getInt64(Flags));
  }

  void callGate(IRBuilder<> &Builder, Function *Function, ArrayRef<Value *> Arguments) {
    CallInst *Call = Builder.CreateCall(Function, Arguments);
    Call->setCallingConv(Function->getCallingConv());
    Call->setDoesNotThrow();
    Call->addFnAttr(Attribute::NoMerge); // the return address is the place: calls must stay apart
  }

  // Adjacent lanes.
  static void forEachRun(const Access &A, function_ref<void(unsigned Lane, unsigned End)> Do) {
    for (unsigned Lane = 0, Count = A.Lanes.size(); Lane < Count;) {
      unsigned End = Lane + 1;
      if (A.Lanes.test(Lane)) {
        while (!A.Mask && End < Count && A.Lanes.test(End)) ++End;
        Do(Lane, End);
      }
      Lane = End;
    }
  }

  // On the cold side each run of adjacent lanes is one call, or each lane depends on its own bit of the mask.
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

  // Gather and scatter: each lane may lie in another page.
  void insertPerPointer(const Access &A) {
    for (unsigned Lane = 0; Lane < A.Lanes.size(); ++Lane) {
      if (!A.Lanes.test(Lane)) continue;
      PlacedBuilder Builder = before(A.Before);
      // A lane that is off may hold any value. The filter can be asked for it all the same.
      Value *Address = Builder.CreateFreeze(Builder.CreateExtractElement(A.Address, Lane));
      Value *IsHit = Pages.testConstant(Builder, Address, A);
      if (A.Mask) IsHit = Builder.CreateAnd(IsHit, Builder.CreateFreeze(Builder.CreateExtractElement(A.Mask, Lane)));
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
    if (Alloca && isa<Constant>(Alloca->getArraySize()) && !Alloca->isUsedWithInAlloca()) Alloca->moveBefore(Top);
  }
}

void mck::insertSignals(Function &F, ArrayRef<Access> Accesses, ArrayRef<Sweep> Sweeps, ArrayRef<RangeTest> Tests,
                        ArrayRef<Cluster> Clusters) {
  if (Accesses.empty()) return;
  gatherAllocas(F);
  Inserter Inserter(F);
  auto HitOf = [&](size_t I) -> Value * { return Sweeps[I].Test < 0 ? nullptr : Tests[unsigned(Sweeps[I].Test)].Hit; };
  for (size_t I = 0; I < Accesses.size(); ++I)
    if (Sweeps[I].Before) Inserter.insertRange(Accesses[I], Sweeps[I], HitOf(I));
  Inserter.sinkArguments();
  DenseMap<unsigned, const Cluster *> ClusterOf;
  for (const Cluster &C : Clusters)
    for (const Cluster::Member &M : C.Members) ClusterOf[M.Index] = &C;
  // It goes backwards: splitting a block never moves what was split off before. So the work is linear in the block
  // size.
  for (size_t I = Accesses.size(); I-- > 0;)
    if (!Sweeps[I].Before && !ClusterOf.count(unsigned(I))) Inserter.insert(Accesses[I], Sweeps[I], HitOf(I));
    else if (const Cluster *C = ClusterOf.lookup(unsigned(I)); C && C->Members.front().Index == I)
      Inserter.insertCluster(*C, Accesses, Sweeps[I].IsHot);
  for (const RangeTest &Test : Tests)
    if (Test.Hit) Inserter.insertTest(Test);
  if (Function *Placeholder = F.getParent()->getFunction("mck.range")) Placeholder->eraseFromParent();
  // The function now calls one that may access memory.
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::NoSync);
}
