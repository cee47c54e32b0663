// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is what was received still there, where a rank is made of it? A variable that is stored to as a whole has lost it
// (RankGraph.h).
#include "RankGraph.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::RankGraph;
using mck::RankNames;
using mck::Spot;

// Only variables of one value are looked at.
static Type *typeOf(const Value *Object) {
  const auto *Global = dyn_cast<GlobalVariable>(Object);
  const auto *Local = dyn_cast<AllocaInst>(Object);
  Type *Of = Global ? Global->getValueType() : Local ? Local->getAllocatedType() : nullptr;
  return Of && Of->isSingleValueType() && !(Local && Local->isArrayAllocation()) ? Of : nullptr;
}

// It comes later, when the request is complete.
static bool isNonblocking(const CallBase &Receive) {
  StringRef Name = RankNames::calleeOf(Receive)->getName();
  Name.consume_front("P");
  return Name.starts_with("MPI_I") || Name == "MPI_Recv_init";
}

static bool isCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) && !RankNames::isMpi(*Call);
}

namespace {
// Follows a value of a variable from instruction to instruction.
struct MemoryReach {
  const Value *Object;
  Type *Of;
  const SmallPtrSetImpl<const Instruction *> &Readers;
  bool IsRead = false, IsAtEnd = false; // it may be read; it is still there when the function ends
  SmallVector<const CallBase *, 16> Calls = {};
  SmallPtrSet<const BasicBlock *, 16> Seen = {};
  SmallVector<const BasicBlock *, 16> Next = {};

  void enter(const BasicBlock *Block) {
    if (Seen.insert(Block).second) Next.push_back(Block);
  }
  void run(BasicBlock::const_iterator I, const BasicBlock &Block) {
    for (; I != Block.end(); ++I) {
      IsRead |= Readers.contains(&*I);
      if (const auto *Store = dyn_cast<StoreInst>(&*I))
        if (Store->getPointerOperand() == Object && Store->getValueOperand()->getType() == Of) return;
      if (isCall(*I)) Calls.push_back(cast<CallBase>(&*I));
    }
    IsAtEnd |= succ_empty(&Block);
    for (const BasicBlock *To : successors(&Block)) enter(To);
  }
  void runBehind(const Instruction &I) { run(std::next(I.getIterator()), *I.getParent()); }
  void finish() {
    while (!Next.empty()) {
      const BasicBlock *Block = Next.pop_back_val();
      run(Block->begin(), *Block);
    }
  }
};
} // namespace

// What the call receives into the variable reaches a place that reads a rank from it: in this execution of the
// function, or, if the variable is no local one, in another one.
bool RankGraph::isRead(const Value *Object, const CallBase &Receive) const {
  Type *Of = typeOf(Object);
  auto Found = Readers.find(Object);
  if (!Of || isNonblocking(Receive) || Found == Readers.end()) return true;
  MemoryReach Behind{Object, Of, Found->second};
  Behind.runBehind(Receive);
  Behind.finish();
  if (Behind.IsRead) return true;
  if (isa<AllocaInst>(Object) || (!Behind.IsAtEnd && Behind.Calls.empty())) return false;
  MemoryReach Again{Object, Of, Found->second};
  Again.enter(&F.getEntryBlock());
  for (const Instruction &I : instructions(F))
    if (isCall(I)) Again.runBehind(I);
  Again.finish();
  return Again.IsRead;
}

// The bytes that the call receives at most.
static int64_t mostReceived(const CallBase &Receive, unsigned Buffer) {
  if (Buffer + 2 >= Receive.arg_size()) return mck::AnyTo;
  const auto *Count = dyn_cast<ConstantInt>(Receive.getArgOperand(Buffer + 1));
  const auto *Type = dyn_cast<GlobalVariable>(Receive.getArgOperand(Buffer + 2)->stripPointerCasts());
  StringRef Name = Type ? Type->getName() : StringRef();
  if (!Count || Count->getBitWidth() != 32 || !Name.consume_front("ompi_mpi_")) return mck::AnyTo;
  return Count->getSExtValue() * StringSwitch<int64_t>(Name)
                                     .Cases("char", "byte", "signed_char", "unsigned_char", 1)
                                     .Cases("int", "float", "unsigned", "integer", "real", 4)
                                     .Cases("double", "long", "unsigned_long", "long_long_int", 8)
                                     .Default(32);
}

bool RankGraph::isReceived(const CallBase &Receive) {
  std::optional<unsigned> Buffer = RankNames::bufferOf(Receive);
  if (!Buffer) return false;
  for (const Spot &S : spotsOf(Receive.getArgOperand(*Buffer), mostReceived(Receive, *Buffer))) {
    auto Found = Reached.find(S.Base);
    if (Found == Reached.end() || none_of(Found->second, [&](const Spot &R) { return R.meets(S); })) continue;
    if (S.IsBehind || isRead(S.Base, Receive)) return true;
  }
  return false;
}

bool RankGraph::isOf(const CallBase &Receive, const GlobalVariable &Variable) {
  return any_of(spotsOf(Receive.getArgOperand(*RankNames::bufferOf(Receive)), AnyTo),
                [&](const Spot &S) { return S.Base == &Variable && !S.IsBehind; });
}

// All that the call may run.
static bool findCallees(const RankNames &Names, const CallBase &Call, SmallPtrSetImpl<const Function *> &Found) {
  SmallVector<const CallBase *, 16> Work{&Call};
  while (!Work.empty()) {
    const CallBase *Next = Work.pop_back_val();
    if (RankNames::isMpi(*Next) || Names.isHarmless(*Next)) continue;
    const Function *Callee = RankNames::calleeOf(*Next);
    if (!Callee || Callee->isDeclaration()) return false;
    if (!Found.insert(Callee).second) continue;
    for (const Instruction &I : instructions(*Callee))
      if (isCall(I)) Work.push_back(cast<CallBase>(&I));
  }
  return true;
}

bool RankGraph::isLeft(const CallBase &Receive, const GlobalVariable &Variable,
                       SmallPtrSetImpl<const Function *> &Next) {
  Type *Of = typeOf(&Variable);
  if (!Of || isNonblocking(Receive)) return true;
  const SmallPtrSet<const Instruction *, 2> None;
  MemoryReach Behind{&Variable, Of, None};
  Behind.runBehind(Receive);
  Behind.finish();
  return Behind.IsAtEnd || !all_of(Behind.Calls, [&](const CallBase *Call) { return findCallees(Names, *Call, Next); });
}
