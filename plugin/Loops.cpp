// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses where the accesses of loops are tested and signalled (Loops.h).
#include "Loops.h"
#include "Distances.h"
#include "Hulls.h"
#include "Ranges.h"
#include "abi.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using mck::Access;
using mck::Hull;
using mck::Nests;
using mck::RangeTest;
using mck::Sweep;

namespace {

// Up to so many ranges are tested one by one instead of together.
constexpr unsigned MaxTested = 8, MaxTestedWithin = 4;
// Up to so many accesses of a loop have maps.
constexpr unsigned MaxHot = 8;

class Finder {
public:
  Finder(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE, AssumptionCache &AC,
         const TargetLibraryInfo &TLI, const TargetTransformInfo &TTI, SmallVectorImpl<RangeTest> &Tests)
      : F(F), LI(LI), DT(DT), SE(SE), AC(AC), Tests(Tests), N(F, LI, DT, SE, TLI, TTI), Ranges(N) {}

  SmallVector<Sweep, 0> run(ArrayRef<Access> Accesses) {
    SmallVector<Sweep, 0> Sweeps(Accesses.size());
    bool HasCalls = any_of(instructions(F), Nests::isSlowCall);
    for (size_t I = 0; I < Accesses.size(); ++I) {
      const Loop *L = LI.getLoopFor(Accesses[I].Before->getParent());
      // A function that calls others takes so long that its code outside of loops may be slow and small.
      Sweeps[I].IsRare = L ? N.isSlow(L) : HasCalls;
    }
    if (none_of(Accesses, [this](const Access &A) { return LI.getLoopFor(A.Before->getParent()); })) return Sweeps;
    for (Loop *L : LI) simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    for (size_t I = 0; I < Accesses.size(); ++I) plan(Accesses[I], Sweeps[I]);
    for (Group &G : Groups)
      if (!letTestThemselves(G, Accesses, Sweeps)) emit(G);
    // For many accesses the code of the maps would be larger than the accesses.
    DenseMap<const Loop *, unsigned> Hot;
    for (size_t I = 0; I < Accesses.size(); ++I)
      Hot[LI.getLoopFor(Accesses[I].Before->getParent())] += Sweeps[I].IsHot && Sweeps[I].Test < 0 && !Sweeps[I].Before;
    for (size_t I = 0; I < Accesses.size(); ++I)
      Sweeps[I].IsHot &= Hot[LI.getLoopFor(Accesses[I].Before->getParent())] <= MaxHot;
    return Sweeps;
  }

private:
  /// Accesses tested before the same loop whose hulls lie at constant distances, or at multiples of few numbers (the
  /// columns of an unrolled kernel), share a test.
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
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AssumptionCache &AC;
  SmallVectorImpl<RangeTest> &Tests;
  Nests N;
  mck::Ranges Ranges;
  SmallVector<Group, 0> Groups;

  void plan(const Access &A, Sweep &S) {
    Loop *Inner = LI.getLoopFor(A.Before->getParent());
    S.IsHot = Inner && Inner->isInnermost() && N.isQuiet(Inner);
    if (!Inner || A.Length || A.IsString || A.Call || A.Size.isScalable() || A.Size.isZero() ||
        A.Address->getType()->isVectorTy() || !SE.isSCEVable(A.Address->getType()))
      return;
    const SCEV *Address = SE.getPtrToIntExpr(SE.getSCEV(A.Address), N.Int64);
    if (isa<SCEVCouldNotCompute>(Address)) return;
    const SCEV *Count = A.Mask || A.Guard ? nullptr : N.countOf(A, Inner);
    Hull H;
    H.Low = H.High = Address;
    if (!mck::extendHull(N, H, Inner, Count != nullptr)) return;
    while (Loop *Outer = H.Test->getParentLoop())
      if (!mck::extendHull(N, H, Outer, /*IsExact=*/false)) break;
    // With one test before a nest of loops, each access of the nest costs a test of one bit. A test inside the nest
    // that
    // fails in most iterations of an outer loop would not pay.
    if (Count) Ranges.plan(A, Inner, H.Test, Address, Count, S);
    if (!S.Before && N.isSlow(Inner)) // a gate at the access is less code
      return;
    S.Test = int(groupOf(A, std::move(H)));
  }

  unsigned groupOf(const Access &A, Hull H) {
    uint32_t Bits = A.Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS;
    int64_t Low = A.Offset, High = A.Offset + int64_t(A.Size.getFixedValue());
    for (Group &G : Groups) {
      if (G.H.Test != H.Test) continue;
      mck::Distance Lows, Highs;
      if (!mck::measure(SE, G.H.Low, H.Low, Lows) || !mck::measure(SE, G.H.High, H.High, Highs) ||
          Lows.Terms != Highs.Terms || !reach(G, Lows.Terms))
        continue;
      G.LowDelta = std::min(G.LowDelta, Low + Lows.Delta);
      G.HighDelta = std::max(G.HighDelta, High + Highs.Delta);
      G.Bits |= Bits;
      for (auto &Limit : H.Limits)
        if (!is_contained(G.H.Limits, Limit)) G.H.Limits.push_back(Limit);
      return G.Test;
    }
    Tests.emplace_back();
    Groups.push_back({std::move(H), Low, High, Bits, unsigned(Tests.size() - 1)});
    return Groups.back().Test;
  }

  // A few ranges have tests of their own, which is less code. Of ranges that are signalled inside the test's loop, each
  // time that their own loop is entered, fewer are allowed.
  bool letTestThemselves(const Group &G, ArrayRef<Access> Accesses, MutableArrayRef<Sweep> Sweeps) {
    SmallVector<Sweep *, MaxTested> Members;
    bool IsWithin = false;
    for (size_t I = 0; I < Accesses.size(); ++I) {
      if (Sweeps[I].Test != int(G.Test)) continue;
      if (!Sweeps[I].Before || !Accesses[I].Lanes.empty()) return false;
      Members.push_back(&Sweeps[I]);
      IsWithin |= Sweeps[I].Before != G.H.Test->getLoopPreheader()->getTerminator();
      if (Members.size() > (IsWithin ? MaxTestedWithin : MaxTested)) return false;
    }
    for (Sweep *S : Members) S->Test = -1;
    return true;
  }

  // Adds these multiples to the group's hull, if it has room for their units.
  bool reach(Group &G, ArrayRef<std::pair<const SCEV *, int64_t>> Terms) {
    SmallVector<Unit, 2> Wider = G.Units;
    for (auto [Number, Multiple] : Terms) {
      auto *U = find_if(Wider, [&, Number = Number](const Unit &Known) { return Known.Number == Number; });
      if (U == Wider.end()) {
        if (Wider.size() == mck::Distance::MaxTerms || !SE.isLoopInvariant(Number, G.H.Test) ||
            !N.canExpand(Number, G.H.Test->getLoopPreheader()->getTerminator(), G.H.Test))
          return false;
        Wider.push_back({Number, 0, 0});
        U = &Wider.back();
      }
      U->Low = std::min(U->Low, Multiple), U->High = std::max(U->High, Multiple);
    }
    for (const Unit &U : ArrayRef<Unit>(Wider).drop_front(G.Units.size()))
      G.H.Limits.push_back({U.Number, mck::MaxStep});
    G.Units = Wider;
    return true;
  }

  // The values, and a call that stands for the test.
  void emit(Group &G) {
    Instruction *At = G.H.Test->getLoopPreheader()->getTerminator();
    RangeTest &Test = Tests[G.Test];
    IRBuilder<> Builder(At);
    auto Expand = [&](const SCEV *S, int64_t Delta) {
      Value *V = N.expand(S, At);
      Builder.SetInsertPoint(At);
      // Code from inside the loop may be poison before the loop. Then the loop is not entered.
      return Builder.CreateFreeze(Delta ? Builder.CreateAdd(V, Builder.getInt64(uint64_t(Delta))) : V);
    };
    for (const Unit &U : G.Units) {
      auto Times = [&](int64_t Multiple) {
        return SE.getMulExpr(SE.getConstant(N.Int64, uint64_t(Multiple), /*isSigned=*/true), U.Number);
      };
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
