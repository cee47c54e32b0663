// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups hulls, and computes their bounds (HullGroups.h).
#include "HullGroups.h"
#include "abi.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using mck::HullGroup;
using mck::HullGroups;

unsigned HullGroups::add(const Access &A, Hull H) {
  uint32_t Bits = A.Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS;
  int64_t Low = A.Offset, High = A.Offset + int64_t(A.Size.getFixedValue());
  for (HullGroup &G : All) {
    if (G.H.Test != H.Test) continue;
    Distance Lows, Highs;
    if (!measure(N.SE, G.H.Low, H.Low, Lows) || !measure(N.SE, G.H.High, H.High, Highs) || Lows.Terms != Highs.Terms ||
        !reach(G, Lows.Terms))
      continue;
    G.LowDelta = std::min(G.LowDelta, Low + Lows.Delta);
    G.HighDelta = std::max(G.HighDelta, High + Highs.Delta);
    G.Bits |= Bits;
    for (auto &Limit : H.Limits)
      if (!is_contained(G.H.Limits, Limit)) G.H.Limits.push_back(Limit);
    return unsigned(&G - All.data());
  }
  All.push_back({std::move(H), Low, High, Bits});
  return unsigned(All.size() - 1);
}

// Adds these multiples to the group's hull, if it has room for their units.
bool HullGroups::reach(HullGroup &G, ArrayRef<std::pair<const SCEV *, int64_t>> Terms) {
  SmallVector<HullGroup::Unit, 2> Wider = G.Units;
  for (auto [Number, Multiple] : Terms) {
    auto *U = find_if(Wider, [&, Number = Number](const HullGroup::Unit &Known) { return Known.Number == Number; });
    if (U == Wider.end()) {
      if (Wider.size() == Distance::MaxTerms || !N.SE.isLoopInvariant(Number, G.H.Test) ||
          !N.canExpand(Number, G.H.Test->getLoopPreheader()->getTerminator(), G.H.Test))
        return false;
      Wider.push_back({Number, 0, 0});
      U = &Wider.back();
    }
    U->Low = std::min(U->Low, Multiple), U->High = std::max(U->High, Multiple);
  }
  for (const HullGroup::Unit &U : ArrayRef<HullGroup::Unit>(Wider).drop_front(G.Units.size()))
    G.H.Limits.push_back({U.Number, MaxStep});
  G.Units = Wider;
  return true;
}

mck::HullRange HullGroup::emit(Nests &N, Instruction *At) const {
  IRBuilder<> Builder(At);
  auto Expand = [&](const SCEV *S, int64_t Delta) {
    Value *V = N.expand(S, At);
    Builder.SetInsertPoint(At);
    // Code from inside the loop may be poison before the loop. Then the loop is not entered.
    return Builder.CreateFreeze(Delta ? Builder.CreateAdd(V, Builder.getInt64(uint64_t(Delta))) : V);
  };
  const SCEV *Lowest = H.Low, *Highest = H.High;
  for (const Unit &U : Units) {
    auto Times = [&](int64_t Multiple) {
      return N.SE.getMulExpr(N.SE.getConstant(N.Int64, uint64_t(Multiple), /*isSigned=*/true), U.Number);
    };
    const SCEV *First = Times(U.Low), *Last = Times(U.High);
    Lowest = N.SE.getAddExpr(Lowest, N.SE.getSMinExpr(First, Last));
    Highest = N.SE.getAddExpr(Highest, N.SE.getSMaxExpr(First, Last));
  }
  HullRange Range;
  Range.Low = Expand(Lowest, LowDelta);
  Range.High = Expand(Highest, HighDelta);
  for (auto &[Number, Limit] : H.Limits) {
    Value *V = Expand(Number, Limit);
    Value *IsLarge = Builder.CreateICmpUGT(V, Builder.getInt64(uint64_t(2 * Limit)));
    Range.IsWild = Range.IsWild ? Builder.CreateOr(Range.IsWild, IsLarge) : IsLarge;
  }
  return Range;
}
