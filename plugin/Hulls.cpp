// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the bounds of the addresses of an access over the loops around it (Hulls.h).
#include "Hulls.h"

using namespace llvm;

// A loop whose end is loaded anew in each iteration has for its only bound what its counter can hold: gigabytes.
static bool isNoBound(const SCEV *Trips) {
  const auto *Constant = dyn_cast<SCEVConstant>(Trips);
  return Constant && Constant->getAPInt().getActiveBits() > 20;
}

bool mck::extendHull(Nests &N, Hull &H, Loop *L, bool IsExact) {
  ScalarEvolution &SE = N.SE;
  BasicBlock *Preheader = L->getLoopPreheader();
  if (!Preheader || !N.isQuiet(L)) return false;
  Hull Wider = H;
  Wider.Test = L;
  for (auto &[Number, Limit] : Wider.Limits) Number = N.Choices.hoist(Number, L);
  const SCEV *Ends[] = {N.Choices.hoist(H.Low, L), N.Choices.hoist(H.High, L)}, *Step = nullptr;
  for (const SCEV *&End : Ends) {
    const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(End);
    if (!Recurrence || Recurrence->getLoop() != L) {
      if (!SE.isLoopInvariant(End, L)) return false;
      if (Step) return false;
      continue;
    }
    if (!Recurrence->isAffine() || (Step && Step != Recurrence->getStepRecurrence(SE)) || (!Step && &End != Ends))
      return false;
    Step = Recurrence->getStepRecurrence(SE);
    End = Recurrence->getStart();
  }
  if (Step) {
    if (!SE.isLoopInvariant(Step, L)) return false;
    const SCEV *Trips = SE.getBackedgeTakenCount(L);
    if (isa<SCEVCouldNotCompute>(Trips)) {
      Trips = SE.getSymbolicMaxBackedgeTakenCount(L);
      if (isa<SCEVCouldNotCompute>(Trips) || isNoBound(Trips)) return false;
    }
    unsigned Width = SE.getTypeSizeInBits(Trips->getType());
    if (Width > 64) return false;
    const auto *Constant = dyn_cast<SCEVConstant>(Step);
    if (Constant && Constant->getAPInt().abs().ugt(uint64_t(MaxStep))) return false;
    // Where an access surely executes, even its last address is one that memory has.
    if (!IsExact && !Constant) Wider.Limits.push_back({Step, MaxStep});
    if (!IsExact && SE.getUnsignedRangeMax(Trips).getActiveBits() > 32)
      Wider.Limits.push_back({N.toInt64(Trips), MaxTrips});
    const SCEV *Reach = SE.getMulExpr(Step, N.toInt64(Trips));
    if (Constant && Constant->getAPInt().isNonNegative()) Ends[1] = SE.getAddExpr(Ends[1], Reach);
    else if (Constant) Ends[0] = SE.getAddExpr(Ends[0], Reach);
    else {
      Ends[0] = SE.getAddExpr(Ends[0], SE.getSMinExpr(Reach, SE.getZero(N.Int64)));
      Ends[1] = SE.getAddExpr(Ends[1], SE.getSMaxExpr(Reach, SE.getZero(N.Int64)));
    }
  }
  Wider.Low = Ends[0], Wider.High = Ends[1];
  const Instruction *At = Preheader->getTerminator();
  if (!N.canExpand(Wider.Low, At, L) || !N.canExpand(Wider.High, At, L)) return false;
  for (auto &[Number, Limit] : Wider.Limits)
    if (!SE.isLoopInvariant(Number, L) || !N.canExpand(Number, At, L)) return false;
  H = std::move(Wider);
  return true;
}
