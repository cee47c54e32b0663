// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may complete an operation: calls with its request, loops around these, calls with a copy of its request
// (PendingOperation.h).
#include "static/state/EpochCall.h"
#include "static/state/PendingOperation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace mck::statics;

static bool mayPointInto(const Value *Address, const Value *Own) {
  SmallVector<const Value *, 4> Objects, Owns;
  getUnderlyingObjects(Address, Objects);
  getUnderlyingObjects(Own, Owns);
  return any_of(Objects, [&](const Value *Object) { return is_contained(Owns, Object) || isa<LoadInst>(Object); });
}

// Blocks with calls that could complete it: also by a pointer that goes through its array, or that was loaded.
const BitVector &PendingOperation::completions(const Node &N, PathWalk &Walk) {
  const Value *Own = slot(N, Walk).Base;
  auto [Known, IsNew] = Completions.try_emplace(Own, View.Ways.size());
  BitVector &All = Known->second;
  if (!IsNew) return All;
  for (unsigned At = 0; At < View.Ways.size(); ++At)
    for (const Instruction &I : *View.Ways.block(At))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const MpiFunction *Mpi = findMpi(*Call); Mpi && Mpi->row().completes != MCK_STD_COMPLETES_NONE)
          if (int Request = requestOf(*Mpi); Request >= 0 && mayPointInto(Call->getArgOperand(unsigned(Request)), Own))
            All.set(At);
  return All;
}

// IsTest: one that tells whether it is complete.
bool PendingOperation::hasCompletion(const Loop &L, const Node &N, PathWalk &Walk, bool IsTest) {
  auto IsAsking = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && Mpi->row().asks == MCK_STD_ASKS_YES && Mpi->row().completes != MCK_STD_COMPLETES_NONE;
  };
  const BitVector &All = completions(N, Walk);
  return any_of(All.set_bits(), [&](unsigned At) {
    return L.contains(View.Ways.block(At)) && (!IsTest || any_of(*View.Ways.block(At), IsAsking));
  });
}

// Does a condition at the head of the loop count its turns? Otherwise it may know what is complete.
static bool isCounted(const Loop &L) {
  const auto *Branch = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  const auto *Asked = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  return Asked && any_of(Asked->operands(), [&](const Use &Operand) {
           const auto *Counter = dyn_cast<PHINode>(Operand);
           if (!Counter || Counter->getParent() != L.getHeader()) return false;
           return all_of(Counter->blocks(), [&](const BasicBlock *From) {
             if (!L.contains(From)) return true;
             const auto *Step = dyn_cast<BinaryOperator>(Counter->getIncomingValueForBlock(From));
             return Step && (Step->getOpcode() == Instruction::Add || Step->getOpcode() == Instruction::Sub) &&
                    Step->getOperand(0) == Counter && isa<ConstantInt>(Step->getOperand(1));
           });
         });
}

// The loop of the test that has found the operation pending.
const Loop *PendingOperation::loopOfTest(const Node &N) const {
  return N.State[TestedAt] ? View.Loops.getLoopFor(View.Ways.block(unsigned(N.State[TestedAt] - 1))) : nullptr;
}

static bool computesOnly(const BasicBlock &Block) {
  return none_of(Block, [](const Instruction &I) { return isa<CallBase>(I) || I.mayHaveSideEffects(); });
}

// With && one of the conditions before leaves the loop, too.
static bool leavesByAnd(const BasicBlock &Block, const Loop &L) {
  const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || Branch->isUnconditional()) return false;
  Value *Condition = Branch->getCondition(), *Inner = nullptr;
  bool IsNegated = match(Condition, PatternMatch::m_Not(PatternMatch::m_Value(Inner)));
  const auto *Joined = dyn_cast<PHINode>(IsNegated ? Inner : Condition);
  return Joined && any_of(Joined->incoming_values(), [&](const Use &One) {
           const auto *Number = dyn_cast<ConstantInt>(One);
           return Number && !L.contains(Branch->getSuccessor(Number->isZero() != IsNegated ? 1 : 0));
         });
}

// Is it the block of a condition at the head of the loop? A condition with || has further blocks, which are entered
// from ones before that do not leave the loop: while (!done[0] || !done[1]).
static bool isOfHead(const BasicBlock *Block, const Loop &L) {
  constexpr unsigned MostBlocks = 16;
  if (Block != L.getHeader() && leavesByAnd(*Block, L)) return false;
  SmallVector<const BasicBlock *, 8> Work{Block};
  SmallPtrSet<const BasicBlock *, 8> Seen;
  while (!Work.empty()) {
    const BasicBlock *One = Work.pop_back_val();
    if (One == L.getHeader() && One == Block) return true;
    if (!Seen.insert(One).second) continue;
    if (!L.contains(One) || (One != Block && L.isLoopExiting(One)) || !computesOnly(*One) || Seen.size() > MostBlocks)
      return false;
    if (One != L.getHeader()) append_range(Work, predecessors(One));
  }
  return true;
}

// Behind a test that has found the operation pending, its loop may end: it has had a turn. Before, one is taken.
const Loop *PendingOperation::onlyInto(unsigned At, Node &N, PathWalk &Walk) {
  const BasicBlock *Block = View.Ways.block(At);
  const Loop *L = View.Loops.getLoopFor(Block);
  if (!N.IsTracking || !What.row().has_request || !L || !isOfHead(Block, *L) || L->contains(Start.getParent()))
    return nullptr;
  bool IsTested = N.State[TestedAt] && L->contains(View.Ways.block(unsigned(N.State[TestedAt] - 1)));
  return !(IsTested && isCounted(*L)) && hasCompletion(*L, N, Walk) ? L : nullptr;
}

// A copy of the request may be completed by any call that gets a request, or by code that is not known.
bool PendingOperation::mayCompleteCopy(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr) return !Mpi->row().has_request && requestOf(*Mpi) >= 0;
  return maySynchronize(I) || (Call && View.Code.mayReachMpi(*Call) && !View.Code.origin(Call));
}

const BitVector &PendingOperation::anyCompletions() {
  if (!AnyCompletions.empty()) return AnyCompletions;
  AnyCompletions.resize(View.Ways.size());
  for (unsigned At = 0; At < View.Ways.size(); ++At)
    if (any_of(*View.Ways.block(At), [&](const Instruction &I) { return mayCompleteCopy(I); })) AnyCompletions.set(At);
  return AnyCompletions;
}

const BitVector &PendingOperation::synchronizations() {
  auto IsSynchronization = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && mck_std_does(Mpi->Number, MCK_STD_EPOCH_COMPLETES_ORIGIN);
  };
  if (!Synchronizations.empty()) return Synchronizations;
  Synchronizations.resize(View.Ways.size());
  for (unsigned At = 0; At < View.Ways.size(); ++At)
    if (any_of(*View.Ways.block(At), IsSynchronization)) Synchronizations.set(At);
  return Synchronizations;
}

// The value is stored to memory that MPI gets as requests.
bool PendingOperation::isListed(const LoadInst &Load) {
  if (!AreListsKnown) {
    AreListsKnown = true;
    for (const Instruction &I : instructions(View.F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
      int Request = Mpi ? requestOf(*Mpi) : -1;
      if (Request >= 0 && Call->getArgOperand(unsigned(Request))->getType()->isPointerTy())
        Lists.insert(getUnderlyingObject(Call->getArgOperand(unsigned(Request))));
    }
  }
  auto IsStored = [&](const Value &Request) {
    return any_of(Request.users(), [&](const User *By) {
      const auto *Store = dyn_cast<StoreInst>(By);
      return Store && Store->getValueOperand() == &Request &&
             Lists.contains(getUnderlyingObject(Store->getPointerOperand()));
    });
  };
  return IsStored(Load) || any_of(Load.users(), [&](const User *By) { return isa<CastInst>(By) && IsStored(*By); });
}

// The variable's value goes elsewhere: it may be returned, or kept in a list. The buffers are in use still.
void PendingOperation::copy(const LoadInst &Load, Node &N, PathWalk &Walk) {
  if (!What.row().has_request || all_of(Load.users(), [](const User *By) { return isa<ICmpInst>(By); })) return;
  const Value *From = Load.getPointerOperand();
  Meeting Objects = Walk.Memories.sameObject(getUnderlyingObject(From), slot(N, Walk).Base);
  if (Objects == Meeting::Perhaps && isListed(Load)) N.IsDead = true; // an array of copies may complete it
  if (Objects != Meeting::Surely) return;
  Meeting Has = meetsSlot(From, int64_t(Walk.Memories.layout().getTypeStoreSize(Load.getType())), N, Walk);
  // MPI_Request_get_status takes the request by its value: its buffers may be free behind it (3.7.6).
  bool IsAsked = any_of(Load.users(), [](const User *By) {
    const auto *Call = dyn_cast<CallBase>(By);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && Mpi->row().asks == MCK_STD_ASKS_YES;
  });
  if (Has == Meeting::Perhaps || (Has == Meeting::Surely && (isPersistent() || IsAsked))) N.IsDead = true;
  else if (Has == Meeting::Surely) N.State[CopiedAt] = 1;
}

// The other half of a split collective call: a file has at most one under way (MPI-3.1 13.4.5). It gets the buffer,
// too.
bool PendingOperation::endsSplit(const CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk) const {
  if (Other.row().split != MCK_STD_SPLIT_END) return false;
  const Value *Own = argument(Start, What, "file"), *File = argument(Call, Other, "file");
  return !Own || !File || compareHandles(Own, File, Walk.View.Code, Walk.Thinker, N.Known) != Meeting::Never;
}
