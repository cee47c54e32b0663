// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses where the accesses of loops are tested and signalled (Loops.h).
#include "Loops.h"
#include "HullGroups.h"
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

class LoopPlanner {
public:
  LoopPlanner(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE, AssumptionCache &AC,
              const TargetLibraryInfo &TLI, const TargetTransformInfo &TTI, SmallVectorImpl<RangeTest> &Tests)
      : F(F), LI(LI), DT(DT), SE(SE), AC(AC), Tests(Tests), N(F, LI, DT, SE, TLI, TTI), Ranges(N), Groups(N) {}

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
    Tests.resize(Groups.All.size());
    for (size_t I = 0; I < Tests.size(); ++I)
      if (!letTestThemselves(int(I), Accesses, Sweeps)) emit(Groups.All[I], Tests[I]);
    // For many accesses the code of the maps would be larger than the accesses.
    DenseMap<const Loop *, unsigned> Hot;
    for (size_t I = 0; I < Accesses.size(); ++I)
      Hot[LI.getLoopFor(Accesses[I].Before->getParent())] += Sweeps[I].IsHot && Sweeps[I].Test < 0 && !Sweeps[I].Before;
    for (size_t I = 0; I < Accesses.size(); ++I)
      Sweeps[I].IsHot &= Hot[LI.getLoopFor(Accesses[I].Before->getParent())] <= MaxHot;
    return Sweeps;
  }

private:
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AssumptionCache &AC;
  SmallVectorImpl<RangeTest> &Tests;
  Nests N;
  mck::Ranges Ranges;
  mck::HullGroups Groups;

  void plan(const Access &A, Sweep &S) {
    Loop *Inner = LI.getLoopFor(A.Before->getParent());
    S.IsHot = Inner && Inner->isInnermost() && N.isQuiet(Inner);
    if (!Inner) return;
    S.WhySingle = N.isQuiet(Inner) ? "addresses that are known only in the loop"
                                   : "a call in the loop that may let MPI act";
    if (A.Length || A.IsString || A.Call || A.Size.isScalable() || A.Size.isZero() ||
        A.Address->getType()->isVectorTy() || !SE.isSCEVable(A.Address->getType()))
      return;
    const SCEV *Address = SE.getPtrToIntExpr(SE.getSCEV(A.Address), N.Int64);
    if (isa<SCEVCouldNotCompute>(Address)) return;
    Value *Guard = nullptr;
    const SCEV *Count = A.Mask || A.Guard ? nullptr : N.countOf(A, Inner, Guard);
    Hull H;
    H.Low = H.High = Address;
    if (!mck::extendHull(N, H, Inner, Count && !Guard)) return;
    while (Loop *Outer = H.Test->getParentLoop())
      if (!mck::extendHull(N, H, Outer, /*IsExact=*/false)) break;
    // With one test before a nest of loops, each access of the nest costs a test of one bit. A test inside the nest
    // that
    // fails in most iterations of an outer loop would not pay.
    S.WhySingle = Count ? "gaps, or numbers that are known only in the loop"
                        : "a condition, or a loop that may end early";
    if (Count) Ranges.plan(A, Inner, H.Test, Address, Count, Guard, S);
    if (!S.Before && N.isSlow(Inner)) // a gate at the access is less code
      return;
    S.Test = int(Groups.add(A, std::move(H)));
  }

  // A few ranges have tests of their own, which is less code. Of ranges that are signalled inside the test's loop, each
  // time that their own loop is entered, fewer are allowed.
  bool letTestThemselves(int Test, ArrayRef<Access> Accesses, MutableArrayRef<Sweep> Sweeps) {
    SmallVector<Sweep *, MaxTested> Members;
    bool IsWithin = false;
    for (size_t I = 0; I < Accesses.size(); ++I) {
      if (Sweeps[I].Test != Test) continue;
      if (!Sweeps[I].Before || !Accesses[I].Lanes.empty()) return false;
      Members.push_back(&Sweeps[I]);
      IsWithin |= Sweeps[I].Before != Groups.All[unsigned(Test)].H.Test->getLoopPreheader()->getTerminator();
      if (Members.size() > (IsWithin ? MaxTestedWithin : MaxTested)) return false;
    }
    for (Sweep *S : Members) S->Test = -1;
    return true;
  }

  // The values, and a call that stands for the test.
  void emit(const mck::HullGroup &G, RangeTest &Test) {
    Instruction *At = G.H.Test->getLoopPreheader()->getTerminator();
    mck::HullRange Range = G.emit(N, At);
    Test.Low = Range.Low, Test.High = Range.High, Test.IsWild = Range.IsWild;
    Test.Bits = G.Bits;
    IRBuilder<> Builder(At);
    FunctionCallee Placeholder = F.getParent()->getOrInsertFunction("mck.range", Builder.getInt1Ty());
    Test.Hit = Builder.CreateCall(Placeholder);
  }
};

} // namespace

SmallVector<Sweep, 0> mck::findSweeps(Function &F, ArrayRef<Access> Accesses, LoopInfo &LI, DominatorTree &DT,
                                      ScalarEvolution &SE, AssumptionCache &AC, const TargetLibraryInfo &TLI,
                                      const TargetTransformInfo &TTI, SmallVectorImpl<RangeTest> &Tests) {
  return LoopPlanner(F, LI, DT, SE, AC, TLI, TTI, Tests).run(Accesses);
}
