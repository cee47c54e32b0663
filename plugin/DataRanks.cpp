// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the arguments that name a rank back to the memory that they are read from (DataRanks.h).
#include "DataRanks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::DataRanks;

static StringRef nameOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : StringRef();
}

// The arguments that name a rank (MPI-3.1 3.2, 3.7, 3.10, 5.4); 0: none.
static std::pair<unsigned, unsigned> ranksOf(StringRef Name) {
  return StringSwitch<std::pair<unsigned, unsigned>>(Name)
      .Cases("MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Rsend", "MPI_Recv", "MPI_Bcast", {3, 0})
      .Cases("MPI_Isend", "MPI_Issend", "MPI_Ibsend", "MPI_Irsend", "MPI_Irecv", "MPI_Ibcast", {3, 0})
      .Cases("MPI_Send_init", "MPI_Ssend_init", "MPI_Recv_init", {3, 0})
      .Case("MPI_Sendrecv", {3, 8})
      .Case("MPI_Sendrecv_replace", {3, 5})
      .Default({0, 0});
}

// Where the buffer that the call receives into is among its arguments; -1: it has none.
static int bufferOf(StringRef Name) {
  return StringSwitch<int>(Name)
      .Cases("MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv", "MPI_Sendrecv_replace", 0)
      .Case("MPI_Sendrecv", 5)
      .Default(-1);
}

DataRanks::DataRanks(const Function &F, const Function &Of, const RankFlow *Others) : Of(Of), Others(Others) {
  for (const Instruction &I : instructions(F))
    if (const auto *Store = dyn_cast<StoreInst>(&I)) {
      const Value *Object = getUnderlyingObject(Store->getPointerOperand(), 0);
      const auto *Given = dyn_cast<Argument>(Object);
      Stored[Object].push_back(Store->getValueOperand());
      if (Others->namesVariable(Object) || (Given && Others->namesFilled(&Of, Given->getArgNo())))
        Work.push_back(Store->getValueOperand());
    }
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    auto [First, Second] = Call ? ranksOf(nameOf(*Call)) : std::pair<unsigned, unsigned>();
    for (unsigned Argument : {First, Second})
      if (Argument && Argument < Call->arg_size()) Work.push_back(Call->getArgOperand(Argument));
    if (First) addCondition(I.getParent());
    if (Call) addCall(*Call);
    const auto *Return = dyn_cast<ReturnInst>(&I);
    if (Return && Return->getReturnValue() && Others->namesResult(&Of)) Work.push_back(Return->getReturnValue());
  }
  while (!Work.empty())
    if (const Value *V = Work.pop_back_val(); Seen.insert(V).second)
      if (const auto *I = dyn_cast<Instruction>(V)) follow(*I);
}

// What another function makes to a rank.
void DataRanks::addCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  for (unsigned I = 0; Callee && I < Call.arg_size(); ++I) {
    if (!Others->namesArgument(Callee, I)) continue;
    const Value *Given = Call.getArgOperand(I);
    if (Given->getType()->isPointerTy()) addObject(Given, Call);
    else Work.push_back(Given);
  }
}

// What decides whether the block runs, where one branch or switch does. In a loop that nothing leads to, a block may be
// its own only predecessor.
void DataRanks::addCondition(const BasicBlock *Block) {
  SmallPtrSet<const BasicBlock *, 8> Passed;
  for (const BasicBlock *From; (From = Block->getSinglePredecessor()) && Passed.insert(From).second; Block = From) {
    if (From->getTerminator()->getNumSuccessors() < 2) continue;
    if (isa<BranchInst, SwitchInst>(From->getTerminator())) Work.push_back(From->getTerminator()->getOperand(0));
    return;
  }
}

void DataRanks::addObject(const Value *Pointer, const Instruction &Reader) {
  const Value *Object = getUnderlyingObject(Pointer, 0);
  auto [At, IsNew] = Objects.try_emplace(Object);
  At->second.insert(&Reader);
  if (!IsNew) return;
  if (auto It = Stored.find(Object); It != Stored.end()) Work.append(It->second.begin(), It->second.end());
}

void DataRanks::follow(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    addObject(Load->getPointerOperand(), I);
    Work.push_back(Load->getPointerOperand()); // the index of a table
    return;
  }
  if (isa<AllocaInst>(I)) return;
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    if (nameOf(*Call).starts_with("MPI_")) return;
    for (const Use &Argument : Call->args())
      if (Argument->getType()->isPointerTy()) addObject(Argument, I);
      else Work.push_back(Argument);
    return;
  }
  for (const Use &Operand : I.operands()) Work.push_back(Operand);
  if (const auto *Choice = dyn_cast<PHINode>(&I)) followChoice(*Choice);
}

// Which of the values it is, a condition decides.
void DataRanks::followChoice(const PHINode &Choice) {
  for (const BasicBlock *From : Choice.blocks())
    for (const BasicBlock *Block : {From, From->getSinglePredecessor()})
      if (Block && Block->getTerminator()->getNumSuccessors() > 1)
        Work.push_back(Block->getTerminator()->getOperand(0));
}

// --- is what was received still there? ---
// A variable that is stored to as a whole has lost it. Only those of one value are looked at.
static Type *typeOf(const Value *Object) {
  const auto *Global = dyn_cast<GlobalVariable>(Object);
  const auto *Local = dyn_cast<AllocaInst>(Object);
  Type *Of = Global ? Global->getValueType() : Local ? Local->getAllocatedType() : nullptr;
  return Of && Of->isSingleValueType() && !(Local && Local->isArrayAllocation()) ? Of : nullptr;
}

namespace {
// Follows a value of a variable from instruction to instruction.
struct Reach {
  const Value *Object;
  Type *Of;
  const SmallPtrSet<const Instruction *, 2> &Readers;
  const mck::RankFlow *Others;          // only calls of what names it count as code outside; null: all do
  bool IsRead = false, HasLeft = false; // it may be read; code outside may have seen it
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
      HasLeft |= mayCallBack(*I) && (!Others || Others->leadsToName(cast<CallBase>(*I), Object));
    }
    HasLeft |= succ_empty(&Block);
    for (const BasicBlock *To : successors(&Block)) enter(To);
  }
  void runBehind(const Instruction &I) { run(std::next(I.getIterator()), *I.getParent()); }
  void finish() {
    while (!IsRead && !Next.empty()) {
      const BasicBlock *Block = Next.pop_back_val();
      run(Block->begin(), *Block);
    }
  }
  // Such a call may end in the same function again.
  static bool mayCallBack(const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && !isa<IntrinsicInst>(Call) && !nameOf(*Call).starts_with("MPI_");
  }
};
} // namespace

// What the call receives into the variable reaches a place that reads a rank from it: in this execution of the
// function, or, if the variable is no local one, in another one.
bool DataRanks::isRead(const Value *Object, const CallBase &Receive) const {
  Type *Of = typeOf(Object);
  const auto &Readers = Objects.find(Object)->second;
  if (!Of || nameOf(Receive).starts_with("MPI_I")) return true; // it comes later, when the request is complete
  Reach Behind{Object, Of, Readers, nullptr};
  Behind.runBehind(Receive);
  Behind.finish();
  if (Behind.IsRead) return true;
  if (isa<AllocaInst>(Object) || !Behind.HasLeft) return false;
  const Function &F = *Receive.getFunction();
  Reach Again{Object, Of, Readers, nullptr};
  Again.enter(&F.getEntryBlock());
  for (const Instruction &I : instructions(F))
    if (Reach::mayCallBack(I)) Again.runBehind(I);
  Again.finish();
  return Again.IsRead;
}

// Does another function make a rank of it?
bool DataRanks::isNamedElsewhere(const Value *Object, const CallBase &Receive) const {
  if (const auto *Given = dyn_cast<Argument>(Object)) return Others->namesFilled(&Of, Given->getArgNo());
  if (!isa<GlobalVariable>(Object) || !Others->namesVariable(Object, Of)) return false;
  Type *Type = typeOf(Object);
  if (!Type || nameOf(Receive).starts_with("MPI_I")) return true;
  const SmallPtrSet<const Instruction *, 2> None;
  Reach Behind{Object, Type, None, Others};
  Behind.runBehind(Receive);
  Behind.finish();
  return Behind.HasLeft;
}

bool DataRanks::isNaming(const CallBase &Receive) const {
  int Buffer = bufferOf(nameOf(Receive));
  if (Buffer < 0 || unsigned(Buffer) >= Receive.arg_size()) return false;
  const Value *Object = getUnderlyingObject(Receive.getArgOperand(unsigned(Buffer)), 0);
  return (Objects.contains(Object) && isRead(Object, Receive)) || isNamedElsewhere(Object, Receive);
}
