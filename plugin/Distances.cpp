// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the difference of two addresses into a constant and multiples of numbers (Distances.h).
#include "Distances.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using mck::Distance;

static bool take(const SCEV *S, unsigned Bits, int64_t &Value) {
  const auto *Constant = dyn_cast<SCEVConstant>(S);
  if (!Constant || !Constant->getAPInt().isSignedIntN(Bits)) return false;
  Value = Constant->getAPInt().getSExtValue();
  return true;
}

static bool add(ScalarEvolution &SE, Distance &D, const SCEV *Part) {
  if (isa<SCEVConstant>(Part)) return take(Part, 28, D.Delta);
  // The addresses of two objects: a hull around both would have all between them.
  if (SCEVExprContains(Part, [](const SCEV *S) { return isa<SCEVPtrToIntExpr>(S); })) return false;
  int64_t Multiple = 1;
  const auto *Product = dyn_cast<SCEVMulExpr>(Part);
  if (Product && isa<SCEVConstant>(Product->getOperand(0))) {
    if (!take(Product->getOperand(0), 20, Multiple)) return false;
    SmallVector<const SCEV *, 4> Rest(drop_begin(Product->operands()));
    Part = SE.getMulExpr(Rest);
  }
  D.Terms.push_back({Part, Multiple});
  return D.Terms.size() <= Distance::MaxTerms;
}

bool mck::measure(ScalarEvolution &SE, const SCEV *From, const SCEV *To, Distance &D) {
  const SCEV *Whole = SE.getMinusSCEV(To, From);
  if (isa<SCEVCouldNotCompute>(Whole)) // the addresses belong to different objects
    return false;
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(Whole))
    return all_of(Sum->operands(), [&](const SCEV *Part) { return add(SE, D, Part); });
  return add(SE, D, Whole);
}
