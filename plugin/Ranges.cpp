// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one range of an access over the loops around it (Ranges.h).
#include "Ranges.h"
#include "Distances.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using mck::Ranges;

// So many starts of ranges are compared with a new one.
static constexpr size_t MaxStarts = 8;

bool Ranges::Shape::canBeAt(Loop *L, Nests &N) const {
  const Instruction *At = L->getLoopPreheader()->getTerminator();
  auto Can = [&](const SCEV *S) { return N.canExpand(S, At, L); };
  return Can(Start) && (!Size || Can(Size)) &&
         all_of(Dimensions, [&](auto &D) { return Can(D.first) && Can(D.second); });
}

void Ranges::plan(const Access &A, Loop *Inner, Loop *Outermost, const SCEV *Address, const SCEV *Count, Value *Guard,
                  Sweep &S) {
  Shape Now{Address, nullptr, {}, Guard};
  if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Address); Recurrence && Recurrence->getLoop() == Inner) {
    Now.Start = Recurrence->getStart();
    addDimension(A, Now, Recurrence->getStepRecurrence(SE), Count);
  } else if (!SE.isKnownNonZero(Count)) {
    // The bytes are always the same. But the loop may end before the access, as loops do that are not rotated (-Oz).
    if (!A.Lanes.empty()) return;
    Now.Size = SE.getMulExpr(SE.getUMinExpr(Count, SE.getOne(N.Int64)),
                             SE.getConstant(N.Int64, A.Size.getFixedValue()));
  }
  if (!Now.canBeAt(Inner, N)) return;
  Loop *L = Inner;
  while (L != Outermost) {
    Shape Wider = Now;
    if (!widen(A, Wider, L) || !Wider.canBeAt(L->getParentLoop(), N)) break;
    Now = Wider, L = L->getParentLoop();
  }
  Instruction *At = L->getLoopPreheader()->getTerminator();
  S.Before = At;
  setStart(S, SE.getAddExpr(Now.Start, SE.getConstant(N.Int64, uint64_t(A.Offset), /*isSigned=*/true)));
  if (Now.Size) S.Size = N.expand(Now.Size, At);
  for (auto &[Step, Count] : Now.Dimensions) S.Dimensions.push_back({N.expand(Step, At), N.expand(Count, At)});
  S.Guard = Now.Guard;
}

// Starts at constant distances share one value.
void Ranges::setStart(Sweep &S, const SCEV *Start) {
  auto &Known = Starts[S.Before];
  for (auto &[First, V] : ArrayRef(Known).take_back(MaxStarts))
    if (const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Start, First));
        Distance && Distance->getAPInt().isSignedIntN(32)) {
      S.Start = V, S.Offset = Distance->getAPInt().getSExtValue();
      return;
    }
  mck::Distance D;
  if (!Known.empty() && mck::measure(SE, Known.back().first, Start, D) && D.Terms.size() == 1) { // the next column
    Value *Step = N.expand(SE.getMinusSCEV(Start, Known.back().first), S.Before);
    S.Start = IRBuilder<>(S.Before).CreateAdd(Known.back().second, Step);
  } else S.Start = N.expand(Start, S.Before);
  Known.push_back({Start, S.Start});
}

// Adjacent pieces become one piece. Returns false where a signal has too few dimensions.
bool Ranges::addDimension(const Access &A, Shape &S, const SCEV *Step, const SCEV *Count) {
  const auto *Constant = dyn_cast<SCEVConstant>(Step);
  uint64_t Size = A.Size.getFixedValue();
  if (S.Dimensions.empty() && !S.Size && A.Lanes.empty() && Constant && Constant->getAPInt() == Size)
    S.Size = SE.getMulExpr(Step, Count);
  else if (S.Dimensions.empty() && !S.Size && A.Lanes.empty() && Constant &&
           Constant->getAPInt().isStrictlyPositive() && Constant->getAPInt().ult(Size) &&
           SE.isKnownNonZero(Count)) // the pieces overlap
    S.Size = SE.getAddExpr(SE.getMulExpr(Step, SE.getMinusSCEV(Count, SE.getOne(N.Int64))),
                           SE.getConstant(N.Int64, Size));
  else if (S.Dimensions.size() < 2) S.Dimensions.push_back({Step, Count});
  else return false;
  return true;
}

// Extends the range to all iterations of the loop around L. They enter L with the same numbers, or not at all.
bool Ranges::widen(const Access &A, Shape &S, Loop *L) {
  Loop *Outer = L->getParentLoop();
  BasicBlock *Entry = L->getLoopPreheader();
  if (N.LI.getLoopFor(Entry) != Outer || !Outer->getLoopPreheader() || !N.areFinite(Outer)) return false;
  if (bool IsChanged = false; S.Guard && !Outer->makeLoopInvariant(S.Guard, IsChanged)) return false;
  std::optional<Value *> Condition = N.Choices.conditionOf(Entry, Outer);
  const SCEV *Count = Condition ? N.countOf(Entry, Outer) : nullptr;
  if (!Count) return false;
  auto IsSame = [&](const SCEV *&Part) { return SE.isLoopInvariant(Part = N.Choices.hoist(Part, Outer), Outer); };
  if (S.Size && !IsSame(S.Size)) return false;
  for (auto &[Step, Times] : S.Dimensions)
    if (!IsSame(Step) || !IsSame(Times)) return false;
  S.Start = N.Choices.hoist(S.Start, Outer);
  if (S.Guard && *Condition)
    S.Guard = IRBuilder<>(Outer->getLoopPreheader()->getTerminator()).CreateLogicalAnd(*Condition, S.Guard);
  else if (*Condition) S.Guard = *Condition;
  if (SE.isLoopInvariant(S.Start, Outer)) return true; // each iteration touches the same bytes
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S.Start);
  if (!Recurrence || Recurrence->getLoop() != Outer || !Recurrence->isAffine()) return false;
  S.Start = Recurrence->getStart();
  return addDimension(A, S, Recurrence->getStepRecurrence(SE), Count);
}
