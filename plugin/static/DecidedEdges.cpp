// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "static/DecidedEdges.h"
#include "static/Paths.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace mck::statics;

enum : unsigned {
  MostInstructions = 8, // of a block that is passed by
  MostBends = 400,      // in a function
  MostConditions = 8,   // that are asked what they say
};

namespace {

/// What the values of a block are for who comes along one edge.
using EdgeValues = DenseMap<const Value *, Value *>;

/// One condition, in a block that only computes it.
class Junction {
public:
  explicit Junction(BasicBlock &Block) : Block(Block) {}
  bool isSmall() const;
  /// Bends one edge that decides the condition, if all do behind a helper, or if it leads to the end of the program.
  /// False: none.
  bool bendOne(const Paths &Ways);

private:
  BasicBlock &Block;

  bool asksForResult() const;
  EdgeValues along(BasicBlock *From) const;
  BasicBlock *destination(const EdgeValues &Values) const;
  void bend(BasicBlock *From, BasicBlock *To, EdgeValues &Values);
  void joinValues(BasicBlock *Way, const EdgeValues &Values);
};

} // namespace

static bool computesOnly(const Instruction &I) {
  return !I.mayHaveSideEffects() && !I.mayReadFromMemory() && !isa<CallBase>(I) && !isa<AllocaInst>(I);
}

bool Junction::isSmall() const {
  const Instruction *End = Block.getTerminator();
  const auto *Branch = dyn_cast<BranchInst>(End);
  if (!isa<SwitchInst>(End) && !(Branch && Branch->isConditional())) return false;
  unsigned Count = 0;
  for (const Instruction &I : Block)
    if (!isa<PHINode>(I) && &I != End && (!computesOnly(I) || ++Count > MostInstructions)) return false;
  return isa<PHINode>(Block.front());
}

// What the conditions on the only way to the edge say of a comparison: "if (rc != 0) return rc;" decides "!= 0".
static Constant *decidedOnWay(const ICmpInst &Asked, ArrayRef<Value *> Operands, const BasicBlock *From,
                              const BasicBlock *To) {
  const DataLayout &Layout = To->getDataLayout();
  for (unsigned Depth = 0; From && Depth < MostConditions; ++Depth, To = From, From = From->getSinglePredecessor()) {
    const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1)) continue;
    bool IsTrue = Branch->getSuccessor(0) == To;
    if (auto Is = isImpliedCondition(Branch->getCondition(), Asked.getPredicate(), Operands[0], Operands[1], Layout,
                                     IsTrue))
      return ConstantInt::getBool(Asked.getType(), *Is);
  }
  return nullptr;
}

// Of a variable that is not set any condition would be decided, so an undefined value counts as not known.
EdgeValues Junction::along(BasicBlock *From) const {
  EdgeValues Values;
  for (const PHINode &Phi : Block.phis()) Values[&Phi] = Phi.getIncomingValueForBlock(From);
  SimplifyQuery Query(Block.getDataLayout());
  for (Instruction &I : Block) {
    if (isa<PHINode>(I) || I.isTerminator()) continue;
    SmallVector<Value *, 4> Operands;
    for (Value *Operand : I.operands()) {
      Value *Here = Values.lookup(Operand);
      Operands.push_back(Here && !isa<UndefValue>(Here) ? Here : Operand);
    }
    Value *Simple = simplifyInstructionWithOperands(&I, Operands, Query);
    if (const auto *Asked = dyn_cast<ICmpInst>(&I); Asked && !isa_and_nonnull<ConstantInt>(Simple))
      Simple = decidedOnWay(*Asked, Operands, From, &Block);
    if (isa_and_nonnull<ConstantInt>(Simple)) Values[&I] = Simple;
  }
  return Values;
}

BasicBlock *Junction::destination(const EdgeValues &Values) const {
  const Instruction *End = Block.getTerminator();
  if (const auto *Branch = dyn_cast<BranchInst>(End)) {
    const auto *Decided = dyn_cast_or_null<ConstantInt>(Values.lookup(Branch->getCondition()));
    return Decided ? Branch->getSuccessor(Decided->isZero() ? 1 : 0) : nullptr;
  }
  auto *Switch = cast<SwitchInst>(Block.getTerminator());
  const auto *Decided = dyn_cast_or_null<ConstantInt>(Values.lookup(Switch->getCondition()));
  return Decided ? Switch->findCaseValue(Decided)->getCaseSuccessor() : nullptr;
}

// A value of the block is another one behind the way beside it: whoever uses it gets what comes along.
void Junction::joinValues(BasicBlock *Way, const EdgeValues &Values) {
  for (Instruction &I : Block) {
    SmallVector<Use *, 8> Outside;
    for (Use &U : I.uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      const auto *Phi = dyn_cast<PHINode>(User);
      if ((Phi ? Phi->getIncomingBlock(U) : User->getParent()) != &Block) Outside.push_back(&U);
    }
    if (Outside.empty()) continue;
    SSAUpdater Updater;
    Updater.Initialize(I.getType(), I.getName());
    Updater.AddAvailableValue(&Block, &I);
    Updater.AddAvailableValue(Way, Values.lookup(&I));
    for (Use *U : Outside) Updater.RewriteUse(*U);
  }
}

void Junction::bend(BasicBlock *From, BasicBlock *To, EdgeValues &Values) {
  BasicBlock *Way = BasicBlock::Create(Block.getContext(), Block.getName(), Block.getParent(), To);
  BranchInst *End = BranchInst::Create(To, Way);
  End->setDebugLoc(Block.getTerminator()->getDebugLoc());
  for (Instruction &I : Block) {
    if (I.isTerminator() || Values.count(&I)) continue;
    Instruction *Here = I.clone();
    for (Use &Operand : Here->operands())
      if (Value *V = Values.lookup(Operand)) Operand = V;
    Here->insertBefore(End);
    Values[&I] = Here;
  }
  for (PHINode &Phi : To->phis()) {
    Value *Comes = Phi.getIncomingValueForBlock(&Block);
    Value *Here = Values.lookup(Comes);
    Phi.addIncoming(Here ? Here : Comes, Way);
  }
  From->getTerminator()->replaceSuccessorWith(&Block, Way);
  Block.removePredecessor(From, /*KeepOneInputPHIs=*/true);
  joinValues(Way, Values);
}

// Does the block ask for what a function has returned that was inlined?
bool Junction::asksForResult() const {
  const DILocation *Here = Block.getTerminator()->getDebugLoc().get();
  return Here && all_of(predecessors(&Block), [&](const BasicBlock *From) {
           const DILocation *There = From->getTerminator()->getDebugLoc().get();
           return There && There->getInlinedAt() && There->getInlinedAt() != Here->getInlinedAt();
         });
}

bool Junction::bendOne(const Paths &Ways) {
  bool AreAll = asksForResult();
  BasicBlock *First = nullptr, *FirstEnd = nullptr;
  for (BasicBlock *From : predecessors(&Block)) {
    const Instruction *End = From->getTerminator();
    bool IsPlain = (isa<BranchInst>(End) || isa<SwitchInst>(End)) && From != &Block &&
                   count(successors(From), &Block) == 1;
    BasicBlock *To = IsPlain ? destination(along(From)) : nullptr;
    if (!To || To == &Block) {
      AreAll = false;
      continue;
    }
    if (!First) First = From;
    unsigned At = Ways.indexOf(To);
    if (!FirstEnd && At != NoBlock && !Ways.isLive(At)) FirstEnd = From;
  }
  BasicBlock *From = AreAll ? First : FirstEnd;
  if (!From) return false;
  EdgeValues Values = along(From);
  bend(From, destination(Values), Values);
  return true;
}

void mck::statics::bendDecidedEdges(Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> Back;
  FindFunctionBackedges(F, Back);
  SmallPtrSet<const BasicBlock *, 16> Heads;
  for (auto [From, Head] : Back) Heads.insert(Head);
  Paths Ways(F);
  SmallVector<BasicBlock *, 8> Passed;
  unsigned Bends = 0;
  for (bool IsChanged = true; IsChanged && Bends < MostBends;) {
    IsChanged = false;
    for (BasicBlock &Block : F) {
      if (Heads.contains(&Block) || pred_empty(&Block)) continue;
      Junction At(Block);
      if (!At.isSmall()) continue;
      while (Bends < MostBends && At.bendOne(Ways)) {
        ++Bends;
        IsChanged = true;
      }
      if (pred_empty(&Block)) Passed.push_back(&Block);
    }
  }
  for (BasicBlock *Block : Passed) DeleteDeadBlock(Block);
}
