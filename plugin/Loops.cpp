// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Distances.h"
#include "Effects.h"
#include "Guards.h"
#include "abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using mck::Access;
using mck::RangeTest;
using mck::Sweep;

namespace {

// Beyond these a hull is not computed but taken for everything: so the sum over a nest of loops cannot wrap.
constexpr int64_t MaxStep = int64_t(1) << 28, MaxTrips = int64_t(1) << 32;
// Ranges that are tested one by one rather than together.
constexpr unsigned MaxTested = 8, MaxTestedWithin = 4;
// Starts of ranges that another one is compared with.
constexpr size_t MaxStarts = 8;
// How much code a hull is worth, in LLVM's units.
constexpr unsigned Budget = 64;
// Accesses of a loop that bring maps.
constexpr unsigned MaxHot = 8;

/// All addresses of an access, seen from before a loop.
struct Hull {
  Loop *Test = nullptr;
  const SCEV *Low = nullptr, *High = nullptr; // i64: of the first bytes of the lowest and the highest access
  SmallVector<std::pair<const SCEV *, int64_t>, 4> Limits; // numbers that must not exceed it in amount
};

class Finder {
public:
  Finder(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE, AssumptionCache &AC,
         const TargetLibraryInfo &TLI, const TargetTransformInfo &TTI, SmallVectorImpl<RangeTest> &Tests)
      : F(F), DL(F.getParent()->getDataLayout()), LI(LI), DT(DT), SE(SE), AC(AC), TLI(TLI), TTI(TTI), Tests(Tests),
        Expander(SE, DL, "mck"), Choices(F, LI, DT, SE), Int64(Type::getInt64Ty(F.getContext())) {}

  SmallVector<Sweep, 0> run(ArrayRef<Access> Accesses) {
    SmallVector<Sweep, 0> Sweeps(Accesses.size());
    bool HasCalls = any_of(instructions(F), isSlowCall);
    for (size_t I = 0; I < Accesses.size(); ++I) {
      const Loop *L = LI.getLoopFor(Accesses[I].Before->getParent());
      // A function that calls others takes so long that what it does beside its loops may be slow, and small.
      Sweeps[I].IsRare = L ? isSlow(L) : HasCalls;
    }
    if (none_of(Accesses, [this](const Access &A) { return LI.getLoopFor(A.Before->getParent()); }))
      return Sweeps;
    for (Loop *L : LI)
      simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    for (size_t I = 0; I < Accesses.size(); ++I)
      plan(Accesses[I], Sweeps[I]);
    for (Group &G : Groups)
      if (!letTestThemselves(G, Accesses, Sweeps))
        emit(G);
    // A map in the code of each of many accesses is more than they are.
    DenseMap<const Loop *, unsigned> Hot;
    for (size_t I = 0; I < Accesses.size(); ++I)
      Hot[LI.getLoopFor(Accesses[I].Before->getParent())] += Sweeps[I].IsHot && Sweeps[I].Test < 0 && !Sweeps[I].Before;
    for (size_t I = 0; I < Accesses.size(); ++I)
      Sweeps[I].IsHot &= Hot[LI.getLoopFor(Accesses[I].Before->getParent())] <= MaxHot;
    return Sweeps;
  }

private:
  /// Accesses tested before the same loop whose hulls lie at constant distances, or at multiples of few numbers (the columns of an unrolled kernel),
  /// share a test.
  struct Unit {
    const SCEV *Number;
    int64_t Low, High; // times
  };
  struct Group {
    Hull H;
    int64_t LowDelta, HighDelta; // HighDelta: behind the last byte
    uint32_t Bits;
    unsigned Test; // in Tests
    SmallVector<Unit, 2> Units = {};
  };

  Function &F;
  const DataLayout &DL;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AssumptionCache &AC;
  const TargetLibraryInfo &TLI;
  const TargetTransformInfo &TTI;
  SmallVectorImpl<RangeTest> &Tests;
  SCEVExpander Expander;
  mck::Guards Choices;
  Type *Int64;
  SmallVector<Group, 0> Groups;
  DenseMap<const Instruction *, SmallVector<std::pair<const SCEV *, Value *>, 4>> Starts; // of ranges, where they are signalled
  DenseMap<const Loop *, bool> Quiet, Transparent, Slow;

  // Can MPI not begin or end anything while the loop runs?
  bool isQuiet(const Loop *L) {
    auto [Entry, IsNew] = Quiet.try_emplace(L, true);
    if (!IsNew)
      return Entry->second;
    bool IsQuiet = true;
    for (const BasicBlock *Block : L->blocks())
      for (const Instruction &I : *Block)
        IsQuiet &= !mck::mayLetMpiAct(I, TLI);
    return Quiet[L] = IsQuiet;
  }

  static bool isSlowCall(const Instruction &I) { return isa<CallBase>(I) && !isa<IntrinsicInst>(I); }

  // Does each iteration have another loop in it, or call something?
  bool isSlow(const Loop *L) {
    auto [Entry, IsNew] = Slow.try_emplace(L, false);
    if (!IsNew)
      return Entry->second;
    const BasicBlock *Latch = L->getLoopLatch();
    bool IsSlow = !L->isInnermost();
    for (const BasicBlock *Block : L->blocks())
      if (!IsSlow && Latch && DT.dominates(Block, Latch))
        IsSlow = any_of(*Block, isSlowCall);
    return Slow[L] = IsSlow;
  }

  // Does every iteration that begins come to its end, or leave by an exit of the loop?
  bool isTransparent(const Loop *L) {
    auto [Entry, IsNew] = Transparent.try_emplace(L, true);
    if (!IsNew)
      return Entry->second;
    bool IsTransparent = true;
    for (const BasicBlock *Block : L->blocks())
      for (const Instruction &I : *Block)
        IsTransparent &= isGuaranteedToTransferExecutionToSuccessor(&I);
    return Transparent[L] = IsTransparent;
  }

  bool canExpand(const SCEV *S, const Instruction *At, Loop *L) {
    auto IsDivision = [](const SCEV *Part) { // by a shift is fine
      const auto *Division = dyn_cast<SCEVUDivExpr>(Part);
      return Division && !isa<SCEVConstant>(Division->getRHS());
    };
    return !SCEVExprContains(S, IsDivision) && Expander.isSafeToExpandAt(S, At) && !Expander.isHighCostExpansion(S, L, Budget, &TTI, At);
  }

  const SCEV *toInt64(const SCEV *S) { return SE.getTruncateOrZeroExtend(S, Int64); }

  // How often an access is executed each time that its innermost loop is entered, if that is known then. (The iterations
  // that are begun, or those of them that go past the one exit.)
  const SCEV *countOf(const Access &A, Loop *L) {
    BasicBlock *Block = A.Before->getParent(), *Latch = L->getLoopLatch();
    if (!Latch || LI.getLoopFor(Block) != L || !DT.dominates(Block, Latch))
      return nullptr;
    return countOf(Block, L);
  }

  // How often a block is executed if it is so in each iteration.
  const SCEV *countOf(BasicBlock *Block, Loop *L) {
    BasicBlock *Exiting = L->getExitingBlock();
    if (!Exiting || !isTransparent(L))
      return nullptr;
    const SCEV *Trips = SE.getBackedgeTakenCount(L);
    if (isa<SCEVCouldNotCompute>(Trips) || SE.getTypeSizeInBits(Trips->getType()) > 64)
      return nullptr;
    if (DT.dominates(Exiting, Block) && Exiting != Block)
      return toInt64(Trips);
    // Of a block under a condition only where an iteration that begins is gone through to its end.
    return DT.dominates(Block, Exiting) || Exiting == L->getLoopLatch() ? SE.getAddExpr(toInt64(Trips), SE.getOne(Int64)) : nullptr;
  }

  // Extends a hull over all iterations of a loop.
  bool extend(Hull &H, Loop *L, bool IsExact) {
    BasicBlock *Preheader = L->getLoopPreheader();
    if (!Preheader || !isQuiet(L))
      return false;
    Hull Wider = H;
    Wider.Test = L;
    for (auto &[Number, Limit] : Wider.Limits)
      Number = Choices.hoist(Number, L);
    const SCEV *Ends[] = {Choices.hoist(H.Low, L), Choices.hoist(H.High, L)}, *Step = nullptr;
    for (const SCEV *&End : Ends) {
      const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(End);
      if (!Recurrence || Recurrence->getLoop() != L) {
        if (!SE.isLoopInvariant(End, L))
          return false;
        if (Step)
          return false;
        continue;
      }
      if (!Recurrence->isAffine() || (Step && Step != Recurrence->getStepRecurrence(SE)) || (!Step && &End != Ends))
        return false;
      Step = Recurrence->getStepRecurrence(SE);
      End = Recurrence->getStart();
    }
    if (Step) {
      if (!SE.isLoopInvariant(Step, L))
        return false;
      const SCEV *Trips = SE.getBackedgeTakenCount(L);
      if (isa<SCEVCouldNotCompute>(Trips)) {
        Trips = SE.getSymbolicMaxBackedgeTakenCount(L);
        if (isa<SCEVCouldNotCompute>(Trips))
          return false;
      }
      unsigned Width = SE.getTypeSizeInBits(Trips->getType());
      if (Width > 64)
        return false;
      const auto *Constant = dyn_cast<SCEVConstant>(Step);
      if (Constant && Constant->getAPInt().abs().ugt(uint64_t(MaxStep)))
        return false;
      // Of an access that executes for certain even the last address is one that memory has.
      if (!IsExact && !Constant)
        Wider.Limits.push_back({Step, MaxStep});
      if (!IsExact && SE.getUnsignedRangeMax(Trips).getActiveBits() > 32)
        Wider.Limits.push_back({toInt64(Trips), MaxTrips});
      const SCEV *Reach = SE.getMulExpr(Step, toInt64(Trips));
      if (Constant && Constant->getAPInt().isNonNegative())
        Ends[1] = SE.getAddExpr(Ends[1], Reach);
      else if (Constant)
        Ends[0] = SE.getAddExpr(Ends[0], Reach);
      else {
        Ends[0] = SE.getAddExpr(Ends[0], SE.getSMinExpr(Reach, SE.getZero(Int64)));
        Ends[1] = SE.getAddExpr(Ends[1], SE.getSMaxExpr(Reach, SE.getZero(Int64)));
      }
    }
    Wider.Low = Ends[0], Wider.High = Ends[1];
    const Instruction *At = Preheader->getTerminator();
    if (!canExpand(Wider.Low, At, L) || !canExpand(Wider.High, At, L))
      return false;
    for (auto &[Number, Limit] : Wider.Limits)
      if (!SE.isLoopInvariant(Number, L) || !canExpand(Number, At, L))
        return false;
    H = std::move(Wider);
    return true;
  }

  void plan(const Access &A, Sweep &S) {
    Loop *Inner = LI.getLoopFor(A.Before->getParent());
    S.IsHot = Inner && Inner->isInnermost() && isQuiet(Inner);
    if (!Inner || A.Length || A.IsString || A.Call || A.Size.isScalable() || A.Size.isZero() || A.Address->getType()->isVectorTy() ||
        !SE.isSCEVable(A.Address->getType()))
      return;
    const SCEV *Address = SE.getPtrToIntExpr(SE.getSCEV(A.Address), Int64);
    if (isa<SCEVCouldNotCompute>(Address))
      return;
    const SCEV *Count = A.Mask || A.Guard ? nullptr : countOf(A, Inner);
    Hull H;
    H.Low = H.High = Address;
    if (!extend(H, Inner, Count != nullptr))
      return;
    while (Loop *Outer = H.Test->getParentLoop())
      if (!extend(H, Outer, /*IsExact=*/false))
        break;
    // With one test before a nest of loops, each access of the nest costs one bit; a test that fails in most iterations of an outer loop would not pay.
    if (Count)
      planRange(A, Inner, H.Test, Address, Count, S);
    if (!S.Before && isSlow(Inner)) // where it happens a gate is less
      return;
    S.Test = int(groupOf(A, std::move(H)));
  }

  // What is touched in all iterations of the innermost loop, and while possible of loops around it up to the test's: where the pieces begin, and
  // how they follow each other.
  struct Shape {
    const SCEV *Start, *Size; // Size null: of the access
    SmallVector<std::pair<const SCEV *, const SCEV *>, 2> Dimensions; // step, count
    Value *Guard = nullptr;
    bool canBeAt(Loop *L, Finder &F) const {
      const Instruction *At = L->getLoopPreheader()->getTerminator();
      auto Can = [&](const SCEV *S) { return F.canExpand(S, At, L); };
      return Can(Start) && (!Size || Can(Size)) && all_of(Dimensions, [&](auto &D) { return Can(D.first) && Can(D.second); });
    }
  };

  void planRange(const Access &A, Loop *Inner, Loop *Outermost, const SCEV *Address, const SCEV *Count, Sweep &S) {
    Shape Now{Address, nullptr, {}};
    if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Address); Recurrence && Recurrence->getLoop() == Inner) {
      Now.Start = Recurrence->getStart();
      addDimension(A, Now, Recurrence->getStepRecurrence(SE), Count);
    }
    if (!Now.canBeAt(Inner, *this))
      return;
    Loop *L = Inner;
    while (L != Outermost) {
      Shape Wider = Now;
      if (!widen(A, Wider, L) || !Wider.canBeAt(L->getParentLoop(), *this))
        break;
      Now = Wider, L = L->getParentLoop();
    }
    Instruction *At = L->getLoopPreheader()->getTerminator();
    auto Expand = [&](const SCEV *What) { return Expander.expandCodeFor(What, Int64, At->getIterator()); };
    S.Before = At;
    setStart(S, SE.getAddExpr(Now.Start, SE.getConstant(Int64, uint64_t(A.Offset), /*isSigned=*/true)), Expand);
    if (Now.Size)
      S.Size = Expand(Now.Size);
    for (auto &[Step, Count] : Now.Dimensions)
      S.Dimensions.push_back({Expand(Step), Expand(Count)});
    S.Guard = Now.Guard;
  }

  // Starts at constant distances share a value.
  void setStart(Sweep &S, const SCEV *Start, function_ref<Value *(const SCEV *)> Expand) {
    auto &Known = Starts[S.Before];
    for (auto &[First, V] : ArrayRef(Known).take_back(MaxStarts))
      if (const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Start, First)); Distance && Distance->getAPInt().isSignedIntN(32)) {
        S.Start = V, S.Offset = Distance->getAPInt().getSExtValue();
        return;
      }
    mck::Distance D;
    if (!Known.empty() && mck::measure(SE, Known.back().first, Start, D) && D.Terms.size() == 1) { // the next column
      Value *Step = Expand(SE.getMinusSCEV(Start, Known.back().first));
      S.Start = IRBuilder<>(S.Before).CreateAdd(Known.back().second, Step);
    } else
      S.Start = Expand(Start);
    Known.push_back({Start, S.Start});
  }

  // Pieces that adjoin are one piece. false: more dimensions than a signal has.
  bool addDimension(const Access &A, Shape &S, const SCEV *Step, const SCEV *Count) {
    const auto *Constant = dyn_cast<SCEVConstant>(Step);
    uint64_t Size = A.Size.getFixedValue();
    if (S.Dimensions.empty() && !S.Size && A.Lanes.empty() && Constant && Constant->getAPInt() == Size)
      S.Size = SE.getMulExpr(Step, Count);
    else if (S.Dimensions.empty() && !S.Size && A.Lanes.empty() && Constant && Constant->getAPInt().isStrictlyPositive() &&
             Constant->getAPInt().ult(Size) && SE.isKnownNonZero(Count)) // they overlap
      S.Size = SE.getAddExpr(SE.getMulExpr(Step, SE.getMinusSCEV(Count, SE.getOne(Int64))), SE.getConstant(Int64, Size));
    else if (S.Dimensions.size() < 2)
      S.Dimensions.push_back({Step, Count});
    else
      return false;
    return true;
  }

  // To all iterations of the loop around L, which enter L with the same numbers, or not at all.
  bool widen(const Access &A, Shape &S, Loop *L) {
    Loop *Outer = L->getParentLoop();
    BasicBlock *Entry = L->getLoopPreheader();
    if (LI.getLoopFor(Entry) != Outer || !Outer->getLoopPreheader() || S.Guard || !areFinite(Outer))
      return false;
    std::optional<Value *> Condition = Choices.conditionOf(Entry, Outer);
    const SCEV *Count = Condition ? countOf(Entry, Outer) : nullptr;
    if (!Count)
      return false;
    auto IsSame = [&](const SCEV *&Part) { return SE.isLoopInvariant(Part = Choices.hoist(Part, Outer), Outer); };
    if (S.Size && !IsSame(S.Size))
      return false;
    for (auto &[Step, Times] : S.Dimensions)
      if (!IsSame(Step) || !IsSame(Times))
        return false;
    S.Start = Choices.hoist(S.Start, Outer);
    S.Guard = *Condition;
    if (SE.isLoopInvariant(S.Start, Outer))
      return true; // the same bytes again
    const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S.Start);
    if (!Recurrence || Recurrence->getLoop() != Outer || !Recurrence->isAffine())
      return false;
    S.Start = Recurrence->getStart();
    return addDimension(A, S, Recurrence->getStepRecurrence(SE), Count);
  }

  // Do the loops within end?
  bool areFinite(Loop *L) {
    return all_of(L->getSubLoops(), [this](Loop *Sub) {
      return (!isa<SCEVCouldNotCompute>(SE.getSymbolicMaxBackedgeTakenCount(Sub)) || isMustProgress(Sub)) && areFinite(Sub);
    });
  }

  unsigned groupOf(const Access &A, Hull H) {
    uint32_t Bits = A.Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS;
    int64_t Low = A.Offset, High = A.Offset + int64_t(A.Size.getFixedValue());
    for (Group &G : Groups) {
      if (G.H.Test != H.Test)
        continue;
      mck::Distance Lows, Highs;
      if (!mck::measure(SE, G.H.Low, H.Low, Lows) || !mck::measure(SE, G.H.High, H.High, Highs) || Lows.Terms != Highs.Terms ||
          !reach(G, Lows.Terms))
        continue;
      G.LowDelta = std::min(G.LowDelta, Low + Lows.Delta);
      G.HighDelta = std::max(G.HighDelta, High + Highs.Delta);
      G.Bits |= Bits;
      for (auto &Limit : H.Limits)
        if (!is_contained(G.H.Limits, Limit))
          G.H.Limits.push_back(Limit);
      return G.Test;
    }
    Tests.emplace_back();
    Groups.push_back({std::move(H), Low, High, Bits, unsigned(Tests.size() - 1)});
    return Groups.back().Test;
  }

  // A few ranges have tests of their own, which is less code; fewer of those that are signalled within the test's loop, each time that theirs is entered.
  bool letTestThemselves(const Group &G, ArrayRef<Access> Accesses, MutableArrayRef<Sweep> Sweeps) {
    SmallVector<Sweep *, MaxTested> Members;
    bool IsWithin = false;
    for (size_t I = 0; I < Accesses.size(); ++I) {
      if (Sweeps[I].Test != int(G.Test))
        continue;
      if (!Sweeps[I].Before || !Accesses[I].Lanes.empty())
        return false;
      Members.push_back(&Sweeps[I]);
      IsWithin |= Sweeps[I].Before != G.H.Test->getLoopPreheader()->getTerminator();
      if (Members.size() > (IsWithin ? MaxTestedWithin : MaxTested))
        return false;
    }
    for (Sweep *S : Members)
      S->Test = -1;
    return true;
  }

  // Takes these multiples into the group's hull, if it has room for their units.
  bool reach(Group &G, ArrayRef<std::pair<const SCEV *, int64_t>> Terms) {
    SmallVector<Unit, 2> Wider = G.Units;
    for (auto [Number, Multiple] : Terms) {
      auto *U = find_if(Wider, [&, Number = Number](const Unit &Known) { return Known.Number == Number; });
      if (U == Wider.end()) {
        if (Wider.size() == mck::Distance::MaxTerms || !SE.isLoopInvariant(Number, G.H.Test) ||
            !canExpand(Number, G.H.Test->getLoopPreheader()->getTerminator(), G.H.Test))
          return false;
        Wider.push_back({Number, 0, 0});
        U = &Wider.back();
      }
      U->Low = std::min(U->Low, Multiple), U->High = std::max(U->High, Multiple);
    }
    for (const Unit &U : ArrayRef<Unit>(Wider).drop_front(G.Units.size()))
      G.H.Limits.push_back({U.Number, MaxStep});
    G.Units = Wider;
    return true;
  }

  // The values, and a call in place of the test.
  void emit(Group &G) {
    Instruction *At = G.H.Test->getLoopPreheader()->getTerminator();
    RangeTest &Test = Tests[G.Test];
    IRBuilder<> Builder(At);
    auto Expand = [&](const SCEV *S, int64_t Delta) {
      Value *V = Expander.expandCodeFor(S, Int64, At->getIterator());
      Builder.SetInsertPoint(At);
      // Code from within the loop may be poison before it; then the loop is not entered.
      return Builder.CreateFreeze(Delta ? Builder.CreateAdd(V, Builder.getInt64(uint64_t(Delta))) : V);
    };
    for (const Unit &U : G.Units) {
      auto Times = [&](int64_t Multiple) { return SE.getMulExpr(SE.getConstant(Int64, uint64_t(Multiple), /*isSigned=*/true), U.Number); };
      const SCEV *First = Times(U.Low), *Last = Times(U.High);
      G.H.Low = SE.getAddExpr(G.H.Low, SE.getSMinExpr(First, Last));
      G.H.High = SE.getAddExpr(G.H.High, SE.getSMaxExpr(First, Last));
    }
    Test.Low = Expand(G.H.Low, G.LowDelta);
    Test.High = Expand(G.H.High, G.HighDelta);
    for (auto &[Number, Limit] : G.H.Limits) {
      Value *V = Expand(Number, Limit);
      Value *IsLarge = Builder.CreateICmpUGT(V, Builder.getInt64(uint64_t(2 * Limit)));
      Test.IsWild = Test.IsWild ? Builder.CreateOr(Test.IsWild, IsLarge) : IsLarge;
    }
    Test.Bits = G.Bits;
    FunctionCallee Placeholder = F.getParent()->getOrInsertFunction("mck.range", Builder.getInt1Ty());
    Test.Hit = Builder.CreateCall(Placeholder);
  }
};

} // namespace

SmallVector<Sweep, 0> mck::findSweeps(Function &F, ArrayRef<Access> Accesses, LoopInfo &LI, DominatorTree &DT,
                                      ScalarEvolution &SE, AssumptionCache &AC, const TargetLibraryInfo &TLI,
                                      const TargetTransformInfo &TTI, SmallVectorImpl<RangeTest> &Tests) {
  return Finder(F, LI, DT, SE, AC, TLI, TTI, Tests).run(Accesses);
}
