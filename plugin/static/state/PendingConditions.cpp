// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which conditions may belong together with an operation (PendingOperation.h): no path takes them in another way.
#include "static/state/PendingOperation.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

static void sourcesOf(const BasicBlock &Block, FunctionView &View, SmallPtrSetImpl<const Value *> &Sources) {
  const Instruction *End = Block.getTerminator();
  if (const auto *Branch = dyn_cast<BranchInst>(End); Branch && Branch->isConditional())
    View.sources(Branch->getCondition(), Sources);
  else if (const auto *Switch = dyn_cast<SwitchInst>(End)) View.sources(Switch->getCondition(), Sources);
}

// Is there a way from one to the other on which the operation is not started again?
static bool leads(const Instruction &From, const Instruction &To, const Instruction &Start, const Paths &Ways) {
  if (From.getParent() == To.getParent() && From.comesBefore(&To)) {
    bool IsBetween = Start.getParent() == To.getParent() && From.comesBefore(&Start) && Start.comesBefore(&To);
    return !IsBetween;
  }
  unsigned First = Ways.indexOf(From.getParent()), Last = Ways.indexOf(To.getParent());
  unsigned Again = Ways.indexOf(Start.getParent());
  if (&From != &Start && First == Again && From.comesBefore(&Start)) return false;
  BitVector Seen(Ways.size());
  SmallVector<unsigned, 32> Work(Ways.next(First));
  while (!Work.empty()) {
    unsigned At = Work.pop_back_val();
    if (Seen.test(At)) continue;
    Seen.set(At);
    if (At == Last && (At != Again || To.comesBefore(&Start))) return true;
    if (At != Again) Work.append(Ways.next(At).begin(), Ways.next(At).end());
  }
  return false;
}

// The rank and the number of ranks are what they are, and no state of an operation.
static bool tellsOfRun(const Value *V, const Canonical &Code) {
  const Origin *From = Code.origin(V);
  return From &&
         (From->Function->row().tells == MCK_STD_TELLS_RANK || From->Function->row().tells == MCK_STD_TELLS_SIZE);
}

static bool hasConstantIndices(const Value *Address) {
  const auto *Step = dyn_cast<GEPOperator>(Address);
  return !Step || (Step->hasAllConstantIndices() && hasConstantIndices(Step->getPointerOperand()));
}

// Is memory that a condition asks for written by this function, too, before it asks? A store behind both the start and
// the condition tells nothing of this operation. Where another condition asks for the memory as well, a store that
// might be to it is enough: they may still go together.
bool PendingOperation::isWritten(const LoadInst &Load, PathWalk &Walk) {
  auto [Known, IsNew] = Written.try_emplace(&Load, false);
  if (!IsNew) return Known->second;
  ValueNumber Address = View.Numbers.of(Load.getPointerOperand());
  bool IsTwice = any_of(View.F, [&](const BasicBlock &Block) {
    SmallPtrSet<const Value *, 16> Sources;
    sourcesOf(Block, View, Sources);
    return any_of(Sources, [&](const Value *Source) {
      const auto *Other = dyn_cast<LoadInst>(Source);
      return Other && Other != &Load && View.Numbers.of(Other->getPointerOperand()) == Address;
    });
  });
  const Value *Base = getUnderlyingObject(Load.getPointerOperand());
  return Written[&Load] = any_of(instructions(View.F), [&](const Instruction &I) {
           const auto *Store = dyn_cast<StoreInst>(&I);
           if (!Store || (View.Tree.dominates(&Start, Store) && !leads(*Store, Load, Start, View.Ways))) return false;
           if (tellsOfRun(Store->getValueOperand(), View.Code)) return false;
           const Value *To = Store->getPointerOperand();
           // Flags in an array, by indices that may be alike: pending[s] = 1.
           bool IsFlag = isa<ConstantInt>(Store->getValueOperand()) && getUnderlyingObject(To) == Base &&
                         !(hasConstantIndices(To) && hasConstantIndices(Load.getPointerOperand()));
           return IsFlag || View.Numbers.of(To) == Address ||
                  (IsTwice && Walk.Memories.sameObject(getUnderlyingObject(To), Base) == Meeting::Perhaps);
         });
}

// May a call that is not looked at change it while the operation is under way?
bool PendingOperation::mayChange(const LoadInst &Load) {
  return any_of(instructions(View.F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && !isa<IntrinsicInst>(I) && !findMpi(*Call) && !View.Code.origin(Call) && I.mayWriteToMemory() &&
           leads(Start, I, Start, View.Ways) && leads(I, Load, Start, View.Ways);
  });
}

// Is a condition one of memory that this function writes, too: a flag, a count? Or of the object Own, if it is not
// null?
bool PendingOperation::asksForWritten(const BasicBlock &Block, const Value *Own, PathWalk &Walk) {
  SmallPtrSet<const Value *, 16> Sources;
  sourcesOf(Block, View, Sources);
  return any_of(Sources, [&](const Value *Source) {
    if (isa<AtomicRMWInst>(Source) || isa<AtomicCmpXchgInst>(Source)) return true;
    const auto *Load = dyn_cast<LoadInst>(Source);
    if (!Load || Load->getType()->isFloatingPointTy()) return false; // no flag, and no count
    const Value *Base = getUnderlyingObject(Load->getPointerOperand());
    bool IsBeside = Own && Walk.Memories.sameObject(Base, Own) == Meeting::Surely;
    return (IsBeside && mayChange(*Load)) || isWritten(*Load, Walk);
  });
}

// Operations that are synchronized in batches are counted: whether some are left is asked of the count. What counts
// them may ask, too, whether the batch is full.
bool PendingOperation::asksForCount(const BasicBlock &Block, PathWalk &Walk) {
  SmallPtrSet<const Value *, 16> Sources;
  sourcesOf(Block, View, Sources);
  auto IsCounting = [&](const LoadInst &Load) {
    return Load.getParent() == &Block && any_of(Block, [&](const Instruction &I) {
             const auto *Store = dyn_cast<StoreInst>(&I);
             return Store && Load.comesBefore(Store) &&
                    View.Numbers.of(Store->getPointerOperand()) == View.Numbers.of(Load.getPointerOperand());
           });
  };
  return any_of(Sources, [&](const Value *Source) {
    const auto *Count = dyn_cast<PHINode>(Source);
    const Loop *Of = Count && Count->getType()->isIntegerTy() ? View.Loops.getLoopFor(Count->getParent()) : nullptr;
    if (Of && Of->contains(Start.getParent()) && !Of->contains(&Block)) return true;
    const auto *Load = dyn_cast<LoadInst>(Source);
    return Load && Load->getType()->isIntegerTy() && !IsCounting(*Load) && isWritten(*Load, Walk);
  });
}

// May the ways of a condition release a buffer?
bool PendingOperation::mayRelease(unsigned At, const Node &N, PathWalk &Walk) {
  auto IsOwn = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !isRelease(*Call)) return false;
    const Value *Base = getUnderlyingObject(Call->getArgOperand(0));
    return any_of(ArrayRef<unsigned>{0, 1}, [&](unsigned Which) {
      auto B = buffer(Which, N, Walk);
      return B && Walk.Memories.sameObject(Base, B->At.Base) == Meeting::Surely;
    });
  };
  return any_of(View.region(At).set_bits(), [&](unsigned Block) { return any_of(*View.Ways.block(Block), IsOwn); });
}

// What completes it may depend on memory that the program writes beside the operation: a flag or a count in the object
// of the request, or elsewhere. Whether such a condition goes with the operation is not known, nor whether a loop that
// completes it has a turn. A count may also say who else has the buffer.
bool PendingOperation::isAllowed(unsigned At, Node &N, PathWalk &Walk) {
  if (!N.IsTracking) return true;
  const BasicBlock *Block = View.Ways.block(At);
  if (HasRelease && asksForWritten(*Block, nullptr, Walk) && mayRelease(At, N, Walk)) return false;
  if (asksForMoved(At, N, Walk)) return false;
  if (N.State[CopiedAt]) return !View.region(At).anyCommon(anyCompletions());
  if (isRma()) return !View.region(At).anyCommon(synchronizations()) || !asksForCount(*Block, Walk);
  if (!What.row().has_request || !View.region(At).anyCommon(completions(N, Walk))) return true;
  if (const Loop *L = onlyInto(At, N, Walk); L && !hasCompletion(*L, N, Walk, true)) return false;
  // Behind the loop of a test, a condition may say why it ended.
  const Loop *Tested = loopOfTest(N), *Own = View.Loops.getLoopFor(Block);
  bool IsAround = Own && Own->getHeader() == Block && Tested && Own->contains(Tested);
  if (Tested && !Tested->contains(Block) && !IsAround) return false;
  return !asksForWritten(*Block, slot(N, Walk).Base, Walk);
}
