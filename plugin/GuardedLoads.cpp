// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves loads before their loops together with their conditions (GuardedLoads.h).
#include "GuardedLoads.h"
#include "Effects.h"
#include "Guards.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

// Loops with more loads of that kind, or more instructions that write, stay as they are: each pair is a question.
constexpr size_t MaxLoads = 32, MaxWrites = 64;
// So many pointers are followed.
constexpr unsigned MaxDepth = 3;

class Mover {
public:
  Mover(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE, AAResults &AA, const TargetLibraryInfo &TLI)
      : F(F), LI(LI), DT(DT), SE(SE), AA(AA), TLI(TLI) {}

  void run(Loop *L) {
    for (Loop *Sub : *L) run(Sub);
    if (!L->isLoopSimplifyForm() || !isCounted(L)) return;
    for (unsigned Depth = 0; Depth < MaxDepth && moveLoads(L); ++Depth) Changed.insert(L); // they may be addresses
  }

  SmallPtrSet<const Loop *, 8> Changed;

private:
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  const TargetLibraryInfo &TLI;

  // Such a loop does not wait for what it loads.
  bool isCounted(Loop *L) {
    return !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(L)) &&
           all_of(*L, [this](Loop *Sub) { return isCounted(Sub); });
  }

  bool moveLoads(Loop *L) {
    SmallVector<LoadInst *, 8> Loads = findLoads(L);
    if (Loads.empty()) return false;
    mck::Guards Conditions(F, LI, DT, SE); // the blocks have changed since the last time
    MapVector<Value *, SmallVector<LoadInst *, 4>> ByCondition;
    for (LoadInst *Load : Loads)
      if (std::optional<Value *> Condition = Conditions.conditionOf(Load->getParent(), L); Condition && *Condition)
        ByCondition[*Condition].push_back(Load);
    for (auto &[Condition, Group] : ByCondition) move(L, Condition, Group);
    return !ByCondition.empty();
  }

  // The loads of the loop that are not in an inner one, do not happen in each iteration, and always give the same. None
  // where MPI may act, or where an iteration may end in another way than by an edge.
  SmallVector<LoadInst *, 8> findLoads(Loop *L) {
    SmallVector<LoadInst *, 8> Loads;
    SmallVector<Instruction *, 16> Writes;
    BasicBlock *Latch = L->getLoopLatch();
    for (BasicBlock *Block : L->blocks())
      for (Instruction &I : *Block) {
        if (mck::mayLetMpiAct(I, TLI) || !isGuaranteedToTransferExecutionToSuccessor(&I)) return {};
        if (I.mayWriteToMemory()) Writes.push_back(&I);
        auto *Load = dyn_cast<LoadInst>(&I);
        if (Load && Load->isSimple() && LI.getLoopFor(Block) == L && !DT.dominates(Block, Latch) &&
            L->isLoopInvariant(Load->getPointerOperand()))
          Loads.push_back(Load);
      }
    if (Loads.size() > MaxLoads || Writes.size() > MaxWrites) return {};
    erase_if(Loads, [&](LoadInst *Load) {
      MemoryLocation Where = MemoryLocation::get(Load);
      return any_of(Writes, [&](Instruction *Write) { return isModSet(AA.getModRefInfo(Write, Where)); });
    });
    return Loads;
  }

  void move(Loop *L, Value *Condition, ArrayRef<LoadInst *> Loads) {
    Instruction *End = L->getLoopPreheader()->getTerminator();
    bool IsChanged = false;
    if (auto *I = dyn_cast<Instruction>(Condition); I && L->getParentLoop()) // so the loads may move on
      L->getParentLoop()->makeLoopInvariant(I, IsChanged);
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    BasicBlock *Before = End->getParent();
    Instruction *Then = SplitBlockAndInsertIfThen(Condition, End->getIterator(), /*Unreachable=*/false,
                                                  /*BranchWeights=*/nullptr, &Updater, &LI);
    for (LoadInst *Load : Loads) {
      // Nothing is loaded where the condition does not hold, and nothing looks at the value there.
      IRBuilder<> Builder(&*End->getParent()->getFirstInsertionPt());
      PHINode *Phi = Builder.CreatePHI(Load->getType(), 2, Load->getName());
      Load->replaceAllUsesWith(Phi);
      Load->moveBefore(Then);
      Phi->addIncoming(Load, Then->getParent());
      Phi->addIncoming(Constant::getNullValue(Load->getType()), Before);
    }
    SE.forgetLoop(L);
  }
};

} // namespace

SmallPtrSet<const Loop *, 8> mck::moveGuardedLoads(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE,
                                                   AAResults &AA, const TargetLibraryInfo &TLI) {
  Mover M(F, LI, DT, SE, AA, TLI);
  for (Loop *L : LI) M.run(L);
  SE.forgetAllLoops();
  return std::move(M.Changed);
}
