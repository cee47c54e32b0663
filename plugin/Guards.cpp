// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the condition under which a block of a loop is executed (Guards.h).
#include "Guards.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using mck::Guards;

Guards::Guards(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE) : F(F), LI(LI), DT(DT), SE(SE) {}
Guards::~Guards() = default;

std::optional<Value *> Guards::conditionOf(BasicBlock *Block, Loop *L) {
  if (LI.getLoopFor(Block) != L) return std::nullopt;
  if (Block == L->getHeader()) return nullptr;
  auto [Entry, IsNew] = Known.try_emplace({Block, L}, std::nullopt);
  if (!IsNew) return Entry->second;
  std::optional<Value *> Condition = compute(Block, L);
  return Known[{Block, L}] = Condition;
}

std::optional<Value *> Guards::compute(BasicBlock *Block, Loop *L) {
  BasicBlock *Above = DT.getNode(Block)->getIDom()->getBlock();
  Loop *AboveLoop = LI.getLoopFor(Above);
  // A block behind a loop is executed as often as the loop is entered.
  while (AboveLoop && AboveLoop != L && L->contains(AboveLoop)) {
    Above = AboveLoop->getLoopPreheader();
    AboveLoop = Above ? LI.getLoopFor(Above) : nullptr;
  }
  if (!Above || !L->contains(Above)) return std::nullopt;
  if (!PDT) PDT = std::make_unique<PostDominatorTree>(F);
  if (PDT->dominates(Block, Above)) return conditionOf(Above, L);
  Value *Any = nullptr;
  for (BasicBlock *From : predecessors(Block)) {
    std::optional<Value *> Edge = conditionOfEdge(From, Block, L);
    if (!Edge || !*Edge) // a block without a condition would post-dominate
      return std::nullopt;
    Any = Any ? IRBuilder<>(L->getLoopPreheader()->getTerminator()).CreateLogicalOr(Any, *Edge) : *Edge;
  }
  return Any ? std::optional(Any) : std::nullopt;
}

std::optional<Value *> Guards::conditionOfEdge(BasicBlock *From, BasicBlock *To, Loop *L) {
  Loop *FromLoop = LI.getLoopFor(From);
  if (FromLoop != L) { // the edge leaves an inner loop by its only exit
    if (!FromLoop || FromLoop->getParentLoop() != L || FromLoop->getUniqueExitBlock() != To ||
        !FromLoop->getLoopPreheader())
      return std::nullopt;
    return conditionOf(FromLoop->getLoopPreheader(), L);
  }
  std::optional<Value *> Whole = conditionOf(From, L);
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Whole || !Branch) return std::nullopt;
  if (Branch->isUnconditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1)) return Whole;
  Value *Condition = Branch->getCondition();
  if (!L->isLoopInvariant(Condition)) return std::nullopt;
  IRBuilder<> Builder(L->getLoopPreheader()->getTerminator());
  Condition = Builder.CreateFreeze(
      Condition); // it may be poison in a loop that is not entered, or in a branch that is not reached
  if (Branch->getSuccessor(1) == To) Condition = Builder.CreateNot(Condition);
  return *Whole ? Builder.CreateLogicalAnd(*Whole, Condition) : Condition;
}

Value *Guards::choose(PHINode *Phi, Loop *L) {
  auto [Entry, IsNew] = Chosen.try_emplace({Phi, L}, nullptr);
  if (!IsNew) return Entry->second;
  BasicBlock *Block = Phi->getParent();
  if (LI.getLoopFor(Block) != L || Block == L->getHeader()) return nullptr;
  Value *Value = nullptr;
  for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I) {
    llvm::Value *Incoming = Phi->getIncomingValue(I);
    std::optional<llvm::Value *> Edge = conditionOfEdge(Phi->getIncomingBlock(I), Block, L);
    if (!L->isLoopInvariant(Incoming) || !Edge || !*Edge) return nullptr;
    Value = Value ? IRBuilder<>(L->getLoopPreheader()->getTerminator()).CreateSelect(*Edge, Incoming, Value) : Incoming;
  }
  return Chosen[{Phi, L}] = Value;
}

const SCEV *Guards::hoist(const SCEV *S, Loop *L) {
  ValueToSCEVMapTy Hoisted;
  bool IsPossible = true;
  auto Look = [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    auto *Phi = Unknown ? dyn_cast<PHINode>(Unknown->getValue()) : nullptr;
    if (!Phi || !L->contains(Phi)) return false;
    Value *V = choose(Phi, L);
    if (V) Hoisted[Phi] = SE.getSCEV(V);
    IsPossible &= V != nullptr;
    return !IsPossible;
  };
  SCEVExprContains(S, Look);
  return IsPossible && !Hoisted.empty() ? SCEVParameterRewriter::rewrite(S, SE, Hoisted) : S;
}
