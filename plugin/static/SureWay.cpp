// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a process (SureWay.h).
#include "static/SureWay.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

constexpr unsigned MostNested = 4; // loops within each other
constexpr unsigned MostBlocks = 1000;

SureWays::SureWays(const Function &F, const Paths &Ways, RankValues &Values)
    : Ways(Ways), Values(Values), Tree(const_cast<Function &>(F)), OfInput(Ways.size()) {}

bool SureWays::isHeader(unsigned At) const {
  const BasicBlock *Block = Ways.block(At);
  return any_of(predecessors(Block), [&](const BasicBlock *From) { return Tree.dominates(Block, From); });
}

// What a variable of a loop begins with, or null.
const Value *SureWays::beginning(const PHINode &Phi) const {
  if (!is_contained(Turns, Ways.indexOf(Phi.getParent()))) return nullptr;
  const Value *Found = nullptr;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    if (Tree.dominates(Phi.getParent(), Phi.getIncomingBlock(I))) continue;
    if (Found && Found != Phi.getIncomingValue(I)) return nullptr;
    Found = Phi.getIncomingValue(I);
  }
  return Found;
}

// The value in the first turns of the loops that the process is in.
Constant *SureWays::firstTurn(const Value *V, Decision &How, unsigned Depth) {
  if (isa<ConstantInt, ConstantFP>(V)) return const_cast<Constant *>(cast<Constant>(V));
  if (Depth == 8) return nullptr;
  if (const auto *Phi = dyn_cast<PHINode>(V))
    if (const Value *Begin = beginning(*Phi)) return firstTurn(Begin, How, Depth + 1);
  if (const auto *Phi = dyn_cast<PHINode>(V)) // "A && B" where A has led here
    if (auto From = CameFrom.find(Ways.indexOf(Phi->getParent())); From != CameFrom.end())
      return firstTurn(Phi->getIncomingValueForBlock(Ways.block(From->second)), How, Depth + 1);
  RankValue Is = V->getType()->isIntegerTy() ? Values.of(V) : RankValue();
  if (Is.What == RankValue::Number && !Is.Loop && V->getType()->getIntegerBitWidth() <= 64) {
    How.IsAssumed |= Is.IsAssumed;
    How.IsDifferent |= Is.isDifferent();
    return ConstantInt::getSigned(V->getType(), Is.Value);
  }
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !isa<CmpInst, BinaryOperator, CastInst>(I)) return nullptr;
  SmallVector<Constant *, 2> Operands;
  for (const Use &Operand : I->operands())
    if (Constant *One = firstTurn(Operand, How, Depth + 1)) Operands.push_back(One);
    else return nullptr;
  const DataLayout &Layout = I->getModule()->getDataLayout();
  if (const auto *Compare = dyn_cast<CmpInst>(I))
    return ConstantFoldCompareInstOperands(Compare->getPredicate(), Operands[0], Operands[1], Layout);
  return ConstantFoldInstOperands(const_cast<Instruction *>(I), Operands, Layout);
}

SureWays::Decision SureWays::decide(unsigned At) {
  const Instruction *End = Ways.block(At)->getTerminator();
  RankValue Why;
  const BasicBlock *Next = Values.successor(*End, Why);
  if (Next && !Why.Loop) return {Next, Why.IsAssumed, Why.isDifferent()};
  const auto *Branch = dyn_cast<BranchInst>(End);
  if (!Branch || !Branch->isConditional() || Turns.empty()) return {};
  Decision Found;
  Found.IsTurn = true;
  const auto *Is = dyn_cast_or_null<ConstantInt>(firstTurn(Branch->getCondition(), Found, 0));
  if (!Is) return {};
  Found.Next = Branch->getSuccessor(Is->isZero() ? 1 : 0);
  return Found;
}

// What depends on the input leads only if all processes decide alike, with each number of ranks.
bool SureWays::leads(unsigned At, const Decision &Here) {
  if (!Here.Next || !Here.IsAssumed) return Here.Next != nullptr;
  if (!OfInput.test(At)) return false;
  if (Here.IsDifferent || Taken.try_emplace(At, Here.Next).first->second != Here.Next) OfInput.reset(At);
  return OfInput.test(At);
}

void SureWays::look(unsigned At) {
  auto Here = Watched.find(At);
  if (Here == Watched.end()) return;
  for (const Value *V : Here->second) {
    Decision How;
    const auto *Is = dyn_cast_or_null<ConstantInt>(firstTurn(V, How, 0));
    if (Is && !How.IsAssumed && Is->getBitWidth() <= 64) First[V] = Is->getSExtValue();
  }
}

void SureWays::go(unsigned At) {
  while (At != NoBlock && Ways.isLive(At) && !Found.test(At)) {
    Found.set(At);
    look(At);
    if (Ways.next(At).size() == 1 && Ways.block(At)->getTerminator()->getNumSuccessors() == 1) {
      CameFrom[Ways.next(At)[0]] = At;
      At = Ways.next(At)[0];
      continue;
    }
    SmallVector<unsigned, 4> Before = Turns;
    if (isHeader(At) && Turns.size() < MostNested) Turns.push_back(At);
    Decision Here = decide(At);
    if (leads(At, Here)) {
      // A process that ends the program there comes to nothing more.
      unsigned Next = Ways.indexOf(Here.Next);
      CameFrom[Next] = At;
      if (!Here.IsTurn || Next == NoBlock || !Ways.isLive(Next)) {
        At = Next;
        continue;
      }
      go(Next);
    }
    // Behind ways that lead through a loop's header it may be another turn.
    Turns = Before;
    CameFrom.clear();
    BitVector Between = Ways.between(At);
    erase_if(Turns, [&](unsigned Header) { return Between.test(Header); });
    At = Ways.meeting(At);
  }
}

BitVector SureWays::of(const Process &P) {
  Values.set(P);
  if (P.Round != Round) Taken.clear();
  Round = P.Round;
  Found.clear();
  First.clear();
  Found.resize(Ways.size());
  Turns.clear();
  CameFrom.clear();
  go(0);
  return Found;
}

bool SureWays::followInput(CommKey Comm) {
  if (!Values.hasSymbols() || Ways.size() > MostBlocks) return false;
  OfInput.set();
  bool IsUsed = false;
  for (unsigned Before = 0; Before != OfInput.count();) {
    Before = OfInput.count();
    for (int Next = 0; Next < Rounds; ++Next) {
      for (int Size = SmallestSize; Size <= LargestSize; ++Size)
        for (int Rank = 0; Rank < Size; ++Rank) of({Comm, Rank, Size, Next});
      IsUsed |= !Taken.empty();
    }
  }
  return IsUsed;
}

BlockSet mck::statics::possibleBlocks(const Function &F, RankValues &Values, const Process &P) {
  Values.set(P);
  BlockSet Seen;
  SmallVector<const BasicBlock *, 32> Work{&F.getEntryBlock()};
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (!Seen.insert(Block).second) continue;
    RankValue Why;
    const BasicBlock *Next = isa<InvokeInst>(Block->getTerminator()) ? nullptr
                                                                     : Values.successor(*Block->getTerminator(), Why);
    if (Next && !Why.IsAssumed && !Why.Loop) Work.push_back(Next);
    else append_range(Work, successors(Block));
  }
  return Seen;
}

BlockSet mck::statics::possibleBlocks(const Function &F, RankValues &Values, CommKey Comm) {
  BlockSet All;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size)
    for (int Rank = 0; Rank < Size; ++Rank)
      for (const BasicBlock *Block : possibleBlocks(F, Values, Process{Comm, Rank, Size, 0})) All.insert(Block);
  return All;
}
