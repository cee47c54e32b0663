// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of one process (Execution.h).
#include "static/spmd/Execution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mck::statics;

// Instructions, turns of a loop. Processes that exchange data know more, and go further.
constexpr unsigned MostSteps = 20000, MostOfLoop = 130;
constexpr unsigned MostTogether = 600000, MostOfLoopTogether = 1500;

Execution::Execution(FunctionView &View, RankValues &Values, const Process &Who, Exchange *Others)
    : View(View), Values(Values), Who(Who), Layout(View.F.getParent()->getDataLayout()), Thinker(View.Numbers, nullptr),
      Memories(Thinker, Layout), Others(Others), Most(Others ? MostTogether : MostSteps) {
  Made.Visited.resize(View.Ways.size());
  At = View.Ways.size() && View.Ways.isLive(0) ? 0 : NoBlock;
  if (At != NoBlock) Next = View.Ways.block(At)->begin();
}

// False: it waits for others.
bool Execution::advance() {
  Values.set(Who);
  while (At != NoBlock && !IsLost && !Made.IsEnded) {
    const BasicBlock *Block = View.Ways.block(At);
    Made.Visited.set(At);
    for (; Next != Block->end(); ++Next) {
      if (++Steps > Most) {
        leave();
        return true;
      }
      if (isa<PHINode>(*Next) || IsLost) continue;
      step(*Next);
      if (IsArrived) return false;
    }
    if (isa<ReturnInst>(Block->getTerminator())) Made.IsWhole = IsWhole && !IsLost;
    if (!IsLost) At = leave(At);
    if (At != NoBlock) Next = View.Ways.block(At)->begin();
  }
  endRequests();
  endObjects();
  if (Others && Made.IsWhole) Others->end(Who.Rank);
  else leave();
  return true;
}

Trace Execution::finish() {
  Made.Steps = Steps;
  return std::move(Made);
}

// A loop that only computes.
bool Execution::isComputing(const Loop &L) {
  auto [Found, IsNew] = Computing.try_emplace(L.getHeader(), true);
  if (!IsNew) return Found->second;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const auto *Call = dyn_cast<CallBase>(&I))
        Found->second &= !findMpi(*Call) && !View.Code.origin(Call) && !View.Code.mayReachMpi(*Call);
  return Found->second;
}

// Has it had its turns? One that only computes gets a part of the steps that are left, less each time: what comes
// behind it matters more.
bool Execution::hasEnough(const Loop &L) {
  const unsigned Part = Others ? 4 : 8, Least = 100;
  Turn &Now = Turns[L.getHeader()];
  bool IsCheap = Others && isComputing(L);
  if (++Now.Count > (Others ? MostOfLoopTogether : MostOfLoop) && !IsCheap) return true;
  return isComputing(L) && Steps - Now.Begin > std::max(Least, (Most - Now.Begin) / (Part * Now.Times));
}

// Values meet at the beginning of a block. From: the block before it; all of Skipped may be.
unsigned Execution::enter(unsigned To, unsigned From, const BitVector *Skipped) {
  const BasicBlock *Block = View.Ways.block(To);
  std::vector<std::pair<const Value *, Datum>> New;
  for (const PHINode &Phi : Block->phis()) {
    std::optional<Datum> Is;
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
      unsigned Before = View.Ways.indexOf(Phi.getIncomingBlock(I));
      if (Before != From && !(Skipped && Skipped->test(Before))) continue;
      Datum One = of(Phi.getIncomingValue(I));
      Is = Is && !(*Is == One) ? Datum() : One;
    }
    New.push_back({&Phi, Is.value_or(Datum())});
  }
  for (const auto &[Phi, Is] : New) Known[Phi] = Is;
  const Loop *L = View.Loops.getLoopFor(Block);
  if (!L || L->getHeader() != Block) return To;
  if (Skipped || !L->contains(View.Ways.block(From))) Turns[Block] = {0, Steps, Turns[Block].Times + 1};
  if (!hasEnough(*L)) return To;
  // Whatever it does until its end.
  unsigned Behind = To; // where the ways of all exits have met
  while (Behind != NoBlock && L->contains(View.Ways.block(Behind))) Behind = View.Ways.meeting(Behind);
  if (Behind == NoBlock) return NoBlock;
  BitVector Region(View.Ways.size());
  SmallVector<unsigned, 16> Work{To};
  while (!Work.empty()) {
    unsigned In = Work.pop_back_val();
    if (In == Behind || Region.test(In)) continue;
    Region.set(In);
    append_range(Work, View.Ways.next(In));
  }
  return passOver(To, std::move(Region), Behind, /*IsCounted=*/true);
}

unsigned Execution::leave(unsigned At) {
  const Instruction &End = *View.Ways.block(At)->getTerminator();
  ArrayRef<unsigned> Next = View.Ways.next(At);
  if (isa<ReturnInst>(End)) return NoBlock;
  const BasicBlock *To = nullptr;
  if (const auto *Invoke = dyn_cast<InvokeInst>(&End))
    To = isThrow(End) ? Invoke->getUnwindDest() : Invoke->getNormalDest();
  else if (End.getNumSuccessors() == 1) To = End.getSuccessor(0);
  else if (const auto *Branch = dyn_cast<BranchInst>(&End)) {
    Datum Is = of(Branch->getCondition());
    if (Is.What == Datum::Number) To = Branch->getSuccessor(Is.Value ? 0 : 1);
  } else if (const auto *Switch = dyn_cast<SwitchInst>(&End)) {
    Datum Is = of(Switch->getCondition());
    if (Is.What == Datum::Number) {
      To = Switch->getDefaultDest();
      for (const auto &Case : Switch->cases())
        if (Case.getCaseValue()->getSExtValue() == Is.Value) To = Case.getCaseSuccessor();
    }
  }
  if (To) {
    unsigned Way = View.Ways.indexOf(To);
    if (is_contained(Next, Way)) return enter(Way, At, nullptr);
    Made.IsEnded = true; // it aborts
    return NoBlock;
  }
  if (Next.size() == 1) return enter(Next[0], At, nullptr);
  unsigned Meeting = View.Ways.meeting(At);
  return Meeting == NoBlock ? goOn(At) : passOver(At, View.region(At), Meeting);
}

// All ways from here on meet at a collective call: who did not go there would keep the others waiting.
bool Execution::isSure(unsigned From) const {
  for (; From != NoBlock; From = View.Ways.meeting(From))
    for (const Instruction &I : *View.Ways.block(From))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const MpiFunction *Mpi = findMpi(*Call); Mpi && Mpi->isCollective()) return true;
  return false;
}

// A condition that is not known, one way of which leads to the end, as after an error.
unsigned Execution::goOn(unsigned At) {
  std::optional<unsigned> Way;
  for (unsigned To : View.Ways.next(At)) {
    if (!isSure(To)) continue;
    if (Way) return NoBlock;
    Way = To;
  }
  IsWhole = false;
  leave();
  return Way ? enter(*Way, At, nullptr) : NoBlock;
}

// IsCounted: of a loop whose conditions were known in all turns so far. It waits for nobody.
unsigned Execution::passOver(unsigned At, BitVector Region, unsigned To, bool IsCounted) {
  // In a loop the block itself may have been executed again.
  bool IsAgain = false;
  for (unsigned In : Region.set_bits()) IsAgain |= is_contained(View.Ways.next(In), At);
  if (IsAgain) Region.set(At);
  Passing = &Region;
  for (unsigned In : Region.set_bits())
    for (const Instruction &I : *View.Ways.block(In)) skip(I);
  checkPassedStores();
  Passing = nullptr;
  for (unsigned In : Region.set_bits())
    for (const Instruction &I : *View.Ways.block(In)) Known.erase(&I);
  if (IsAgain && !IsCounted) order(); // it may wait for what others do
  return IsLost ? NoBlock : enter(To, At, &Region);
}

// An instruction that may be executed.
void Execution::skip(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    int64_t Size = int64_t(Layout.getTypeStoreSize(Store->getValueOperand()->getType()));
    if (Store->getValueOperand()->getType()->isPointerTy()) shareRequests();
    return forgetThrough(Store->getPointerOperand(), Size);
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || View.Code.origin(Call)) return;
  if (const MpiFunction *Mpi = findMpi(*Call)) return skipMpi(*Call, *Mpi);
  callOther(*Call);
}
