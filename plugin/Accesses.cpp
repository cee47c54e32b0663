// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the accesses of a function that must be signalled (Accesses.h).
#include "Accesses.h"
#include "Effects.h"
#include "Library.h"
#include "Promoted.h"
#include "Relevance.h"
#include "abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using mck::Access;

namespace {

uint32_t flagsOf(bool IsStore, bool IsAtomic, bool IsVolatile) {
  return (IsStore ? MCK_SIGNAL_STORE : 0) | (IsAtomic ? MCK_SIGNAL_ATOMIC : 0) | (IsVolatile ? MCK_SIGNAL_VOLATILE : 0);
}

// Sets the lanes of a vector value that some instruction uses. The vectorizer loads a[2*i] as whole vectors and picks
// every second lane. The lanes between may belong to a receive in progress: the source never reads them.
void addUsedLanes(const Value &Vector, SmallBitVector &Used, unsigned Depth) {
  unsigned Count = Used.size();
  for (const User *User : Vector.users()) {
    if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(User)) {
      for (int Lane : Shuffle->getShuffleMask()) {
        if (Lane < 0) continue;
        unsigned Operand = unsigned(Lane) / Count;
        if (Shuffle->getOperand(Operand) == &Vector) Used.set(unsigned(Lane) % Count);
      }
      continue;
    }
    if (const auto *Extract = dyn_cast<ExtractElementInst>(User)) {
      const auto *Index = dyn_cast<ConstantInt>(Extract->getIndexOperand());
      if (Index && Index->getValue().ult(Count)) {
        Used.set(unsigned(Index->getZExtValue()));
        continue;
      }
    }
    // The operation works lane by lane: the lanes used of the result are those used of the operand.
    const auto *Type = dyn_cast<FixedVectorType>(User->getType());
    bool IsLanewise = isa<UnaryOperator>(User) || isa<BinaryOperator>(User) || isa<CmpInst>(User) ||
                      (isa<CastInst>(User) && !isa<BitCastInst>(User)) || isa<FreezeInst>(User);
    if (IsLanewise && Type && Type->getNumElements() == Count && Depth > 0) {
      addUsedLanes(*User, Used, Depth - 1);
      continue;
    }
    Used.set();
    return;
  }
}

class Collector {
public:
  Collector(Function &F, const DominatorTree &DT, const LoopInfo &Loops, const TargetLibraryInfo &TLI,
            ScalarEvolution &SE, const mck::Points &Module)
      : F(F), DL(F.getParent()->getDataLayout()), DT(DT), Loops(Loops), TLI(TLI), SE(SE), Memory(Module) {}

  SmallVector<Access, 0> run() {
    for (BasicBlock &Block : F) {
      Earlier.clear();
      ++Segment;
      for (Instruction &I : Block) {
        if (!I.hasMetadata(LLVMContext::MD_nosanitize)) visit(I);
        if (endsKnowledge(I)) {
          endSegment();
          Earlier.clear();
          ++Segment;
        }
      }
      endSegment();
    }
    append_range(Found, AtHeads);
    erase_if(Found, [](const Access &A) { return A.Size.isZero() && !A.Length; });
    return std::move(Found);
  }

private:
  static constexpr size_t Recent = 32; // bounds the work in huge generated blocks

  // An access of this block that is in the list and covers whole bytes: later ones are compared with it.
  struct Signalled {
    size_t Index;      // in Found
    const SCEV *Start; // of Found[Index].Address, without its Offset
    const SCEV *Object;
  };

  Function &F;
  const DataLayout &DL;
  const DominatorTree &DT;
  const LoopInfo &Loops;
  const TargetLibraryInfo &TLI;
  ScalarEvolution &SE;
  mck::Relevance Memory;
  SmallVector<Access, 0> Found, AtHeads;
  unsigned Segment = 0;
  SmallVector<Signalled, 32> Earlier; // in this block, since the last instruction after which MPI may have acted

  bool isSignallable(const Value *Address, StringRef &Why) {
    Type *Type = Address->getType();
    return Type->getScalarType()->getPointerAddressSpace() == 0 && !Address->isSwiftError() &&
           Memory.isRelevant(Address, Why);
  }

  void add(Access A) {
    if (!isSignallable(A.Address, A.Why) || (A.Size.isZero() && !A.Length) || isCovered(A)) return;
    A.Segment = Segment;
    Found.push_back(std::move(A));
  }

  static bool isSamePlace(const Instruction &A, const Instruction &B) {
    const DILocation *X
    = A.getDebugLoc(), *Y = B.getDebugLoc();
    return X
    == Y || (X && Y && X->getLine() == Y->getLine() && X->getScope() == Y->getScope() &&
             X->getInlinedAt() == Y->getInlinedAt());
  }

  // Does an earlier access of this block signal every byte, at least as strongly? (A store conflicts with all that a
  // load conflicts with, so it replaces later loads.) Or can an earlier access of the same line and kind be extended
  // to these bytes, as in unrolled and vectorized loops? If neither, the access is remembered.
  bool isCovered(const Access &A) {
    if (!A.isWhole() || A.Address->getType()->isVectorTy() || !SE.isSCEVable(A.Address->getType())) return false;
    const SCEV *Start = SE.getSCEV(A.Address);
    const SCEV *Object = SE.getPointerBase(Start);
    for (const Signalled &S : reverse(ArrayRef<Signalled>(Earlier).take_back(Recent))) {
      if (S.Object != Object) continue;
      const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Start, S.Start));
      if (Distance && Distance->getAPInt().isSignedIntN(32) &&
          isCoveredBy(A, Distance->getAPInt().getSExtValue(), Found[S.Index]))
        return true;
    }
    Earlier.push_back({Found.size(), Start, Object});
    return false;
  }

  // x[i] = f(x[i]), vectorized: once the pieces of both are joined, the stores replace the loads.
  void dropLoads() {
    for (const Signalled &Load : Earlier) {
      Access &First = Found[Load.Index];
      for (const Signalled &Store :
           ArrayRef<Signalled>(Earlier).drop_front(size_t(&Load - Earlier.data()) + 1).take_front(Recent)) {
        Access &A = Found[Store.Index];
        if (First.Flags || A.Flags != MCK_SIGNAL_STORE || Load.Object != Store.Object || A.Size != First.Size ||
            A.Size.isZero() || !isSamePlace(*A.Before, *First.Before))
          continue;
        const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Store.Start, Load.Start));
        if (!Distance || !Distance->getAPInt().isSignedIntN(32) ||
            Distance->getAPInt().getSExtValue() + A.Offset != First.Offset)
          continue;
        First.Flags = A.Flags;
        A.Size = TypeSize::getFixed(0);
      }
    }
  }

  // to[i] += x, unrolled: each store has replaced its own load, and now the stores touch each other.
  void joinNeighbors() {
    for (size_t I = 1; I < Earlier.size(); ++I) {
      Access &A = Found[Earlier[I].Index];
      for (const Signalled &S : ArrayRef<Signalled>(Earlier).take_front(I).take_back(Recent)) {
        Access &First = Found[S.Index];
        if (A.Size.isZero() || First.Size.isZero() || A.Flags != First.Flags || S.Object != Earlier[I].Object ||
            !isSamePlace(*A.Before, *First.Before))
          continue;
        const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Earlier[I].Start, S.Start));
        if (Distance && Distance->getAPInt().isSignedIntN(32) &&
            isCoveredBy(A, Distance->getAPInt().getSExtValue() + A.Offset, First))
          A.Size = TypeSize::getFixed(0);
      }
    }
  }

  void endSegment() {
    dropLoads();
    joinNeighbors();
  }

  // Low: the distance from the address of First to where A begins.
  static bool isCoveredBy(const Access &A, int64_t Low, Access &First) {
    int64_t High = Low + int64_t(A.Size.getFixedValue());
    int64_t FirstLow = First.Offset, FirstHigh = FirstLow + int64_t(First.Size.getFixedValue());
    // x += 1, x ^= 1: the store replaces the load before it.
    if (Low == FirstLow && High == FirstHigh && !First.Flags && A.Flags == MCK_SIGNAL_STORE &&
        isSamePlace(*A.Before, *First.Before)) {
      First.Flags = A.Flags;
      return true;
    }
    if (Low >= FirstLow && High <= FirstHigh)
      return (A.Flags | MCK_SIGNAL_STORE) == (First.Flags | MCK_SIGNAL_STORE) && (First.Flags & A.Flags) == A.Flags;

    bool IsTouching = Low <= FirstHigh && High >= FirstLow;
    int64_t UnionLow = std::min(Low, FirstLow), UnionHigh = std::max(High, FirstHigh);
    if (!IsTouching || A.Flags != First.Flags || UnionHigh - UnionLow > int64_t(1) << MCK_PAGE_SHIFT ||
        !isSamePlace(*A.Before, *First.Before))
      return false;
    if (UnionLow < FirstLow) First.Alignment = commonAlignment(First.Alignment, uint64_t(FirstLow - UnionLow));
    First.Offset = UnionLow;
    First.Size = TypeSize::getFixed(uint64_t(UnionHigh - UnionLow));
    return true;
  }

  // After this instruction the same access may mean something else, because MPI was called, here or in another thread.
  // Or no access follows, because the instruction never returns.
  bool endsKnowledge(const Instruction &I) const {
    return mck::mayLetMpiAct(I, TLI) || !isGuaranteedToTransferExecutionToSuccessor(&I);
  }

  Access scalar(Instruction &I, Value *Address, Type *Type, Align Alignment, uint32_t Flags) {
    Access A;
    A.Before = &I;
    A.Address = Address;
    A.Size = DL.getTypeStoreSize(Type);
    A.Alignment = Alignment;
    A.Flags = Flags;
    return A;
  }

  void addRange(Instruction &I, Value *Address, MaybeAlign Alignment, Value *Length, uint32_t Flags) {
    Access A;
    A.Before = &I;
    A.Address = Address;
    A.Alignment = Alignment.valueOrOne();
    A.Flags = Flags;
    if (const auto *Constant = dyn_cast<ConstantInt>(Length)) A.Size = TypeSize::getFixed(Constant->getZExtValue());
    else A.Length = Length;
    add(std::move(A));
  }

  void visit(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I)) return visitLoad(*Load);
    if (auto *Select = dyn_cast<SelectInst>(&I)) return visitSelect(*Select);
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return add(scalar(I, Store->getPointerOperand(), Store->getValueOperand()->getType(), Store->getAlign(),
                        flagsOf(true, Store->isAtomic(), Store->isVolatile())));
    if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
      return add(scalar(I, Rmw->getPointerOperand(), Rmw->getValOperand()->getType(), Rmw->getAlign(),
                        flagsOf(true, true, Rmw->isVolatile())));
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return add(scalar(I, Exchange->getPointerOperand(), Exchange->getCompareOperand()->getType(),
                        Exchange->getAlign(), flagsOf(true, true, Exchange->isVolatile())));
    if (auto *Range = dyn_cast<AnyMemIntrinsic>(&I)) return visitMemIntrinsic(*Range);
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) return visitMasked(*Intrinsic);
    if (auto *Call = dyn_cast<CallBase>(&I)) return visitCall(*Call);
  }

  void visitLoad(LoadInst &Load) {
    if (mck::isPromoted(Load, DT, Loops)) return;
    if (BasicBlock *Head = mck::headThatReads(Load, DT, Loops, TLI)) return addAtHead(Load, *Head);
    Access A = scalar(Load, Load.getPointerOperand(), Load.getType(), Load.getAlign(),
                      flagsOf(false, Load.isAtomic(), Load.isVolatile()));
    if (Load.isSimple()) limitToUsedLanes(Load, A);
    if (SelectInst *Select = choiceOf(Load)) {
      if (isBeforeChoice(Load, *Select)) return; // visitSelect signals it
      limitToUsedArm(Load, *Select, A);
    } else if (mck::isChosenLater(Load)) return;
    add(std::move(A));
  }

  void addAtHead(LoadInst &Load, BasicBlock &Head) {
    Access A = scalar(*Head.getFirstInsertionPt(), Load.getPointerOperand(), Load.getType(), Load.getAlign(),
                      flagsOf(false, false, false));
    A.Call = &Load;
    A.Segment = ~unsigned(AtHeads.size()); // no other access shares the segment
    if (isSignallable(A.Address, A.Why)) AtHeads.push_back(std::move(A));
  }

  void limitToUsedLanes(LoadInst &Load, Access &A) {
    auto *Vector = dyn_cast<FixedVectorType>(Load.getType());
    if (!Vector || Load.use_empty() || !DL.typeSizeEqualsStoreSize(Vector->getElementType())) return;
    SmallBitVector Used(Vector->getNumElements());
    addUsedLanes(Load, Used, /*Depth=*/6);
    if (Used.all()) return;
    A.Lanes = Used;
    A.LaneSize = DL.getTypeStoreSize(Vector->getElementType());
    if (Used.none()) // no instruction uses it: the source has no such access
      A.Size = TypeSize::getFixed(0);
  }

  // InstCombine turns *(c ? &a : &b) into c ? a : b, which reads both. The source reads only the chosen arm.
  static SelectInst *choiceOf(LoadInst &Load) {
    auto *Select = Load.isSimple() && Load.hasOneUse() ? dyn_cast<SelectInst>(Load.user_back()) : nullptr;
    return Select && Select->getCondition() != &Load && Select->getCondition()->getType()->isIntegerTy(1) ? Select
                                                                                                          : nullptr;
  }

  // Since then the load has left the loop, because it does not change, and the choice has not.
  bool isBeforeChoice(const LoadInst &Load, SelectInst &Select) const {
    auto *Condition = dyn_cast<Instruction>(Select.getCondition());
    return Condition && !DT.dominates(Condition, &Load);
  }

  void limitToUsedArm(const LoadInst &Load, SelectInst &Select, Access &A) {
    A.Guard = Select.getCondition();
    A.GuardValue = Select.getTrueValue() == &Load;
  }

  void visitSelect(SelectInst &Select) {
    for (Value *Arm : {Select.getTrueValue(), Select.getFalseValue()}) {
      auto *Load = dyn_cast<LoadInst>(Arm);
      if (!Load || choiceOf(*Load) != &Select || !isBeforeChoice(*Load, Select) || mck::isPromoted(*Load, DT, Loops))
        continue;
      Access A = scalar(Select, Load->getPointerOperand(), Load->getType(), Load->getAlign(),
                        flagsOf(false, false, false));
      limitToUsedArm(*Load, Select, A);
      add(std::move(A));
    }
  }

  void visitMemIntrinsic(AnyMemIntrinsic &Range) {
    bool IsAtomic = isa<AtomicMemIntrinsic>(Range);
    bool IsVolatile = !IsAtomic && cast<MemIntrinsic>(Range).isVolatile();
    if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&Range))
      addRange(Range, Transfer->getRawSource(), Transfer->getSourceAlign(), Range.getLength(),
               flagsOf(false, IsAtomic, IsVolatile));
    addRange(Range, Range.getRawDest(), Range.getDestAlign(), Range.getLength(), flagsOf(true, IsAtomic, IsVolatile));
  }

  // Lanes that the mask leaves out are not accessed. So each lane is signalled by itself.
  void visitMasked(IntrinsicInst &I) {
    Intrinsic::ID Id = I.getIntrinsicID();
    bool IsStore = Id == Intrinsic::masked_store || Id == Intrinsic::masked_scatter;
    bool IsGather = Id == Intrinsic::masked_gather || Id == Intrinsic::masked_scatter;
    if (!IsStore && !IsGather && Id != Intrinsic::masked_load) return;
    Value *Address = I.getArgOperand(IsStore ? 1 : 0);
    Value *Mask = I.getArgOperand(IsStore ? 3 : 2);
    uint64_t Alignment = cast<ConstantInt>(I.getArgOperand(IsStore ? 2 : 1))->getZExtValue();
    auto *Vector = dyn_cast<FixedVectorType>(IsStore ? I.getArgOperand(0)->getType() : I.getType());
    if (!Vector || !DL.typeSizeEqualsStoreSize(Vector->getElementType())) return;
    Access A = scalar(I, Address, IsGather ? Vector->getElementType() : Vector, Align(std::max<uint64_t>(Alignment, 1)),
                      flagsOf(IsStore, false, false));
    A.LaneSize = DL.getTypeStoreSize(Vector->getElementType());
    A.Lanes = SmallBitVector(Vector->getNumElements(), true);
    A.Mask = Mask;
    if (auto *Constant = dyn_cast<llvm::Constant>(Mask)) {
      bool AllKnown = true;
      for (unsigned Lane = 0; Lane < A.Lanes.size(); ++Lane) {
        auto *Bit = dyn_cast_or_null<ConstantInt>(Constant->getAggregateElement(Lane));
        AllKnown &= Bit != nullptr;
        if (Bit && Bit->isZero()) A.Lanes.reset(Lane);
      }
      if (AllKnown) A.Mask = nullptr;
      if (A.Lanes.none()) return;
    }
    add(std::move(A));
  }

  // The call copies a struct that is passed in memory. The C library's memcpy and the like are not instrumented.
  void visitCall(CallBase &Call) {
    for (unsigned Index = 0; Index < Call.arg_size(); ++Index) {
      if (Call.isByValArgument(Index))
        add(scalar(Call, Call.getArgOperand(Index), Call.getParamByValType(Index),
                   Call.getParamAlign(Index).valueOrOne(), flagsOf(false, false, false)));
    }
    Instruction *Next = Call.getNextNode(); // behind the values that are computed there
    for (mck::LibraryAccess &L : mck::findLibraryAccesses(Call, TLI, [this](const Value *Address) {
           StringRef Why;
           return isSignallable(Address, Why);
         })) {
      Access A;
      A.Before = L.IsAfter ? Next : &Call;
      A.Call = L.IsAfter ? &Call : nullptr;
      A.Address = L.Address;
      A.Flags = flagsOf(L.IsStore, L.IsAtomic, false);
      A.IsString = L.IsString;
      if (const auto *Constant = dyn_cast<ConstantInt>(L.Length)) A.Size = TypeSize::getFixed(Constant->getZExtValue());
      else A.Length = L.Length;
      add(std::move(A));
    }
  }
};

} // namespace

SmallVector<Access, 0> mck::collectAccesses(Function &F, const DominatorTree &DT, const LoopInfo &Loops,
                                            const TargetLibraryInfo &TLI, ScalarEvolution &SE, const Points &Module) {
  return Collector(F, DT, Loops, TLI, SE, Module).run();
}
