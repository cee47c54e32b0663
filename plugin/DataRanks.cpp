// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the arguments that name a rank back to the memory that they are read from (DataRanks.h).
#include "DataRanks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

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

DataRanks::DataRanks(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      Stored[getUnderlyingObject(Store->getPointerOperand(), 0)].push_back(Store->getValueOperand());
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    auto [First, Second] = Call ? ranksOf(nameOf(*Call)) : std::pair<unsigned, unsigned>();
    for (unsigned Argument : {First, Second})
      if (Argument && Argument < Call->arg_size()) Work.push_back(Call->getArgOperand(Argument));
    if (First) addCondition(I.getParent());
  }
  while (!Work.empty())
    if (const Value *V = Work.pop_back_val(); Seen.insert(V).second)
      if (const auto *I = dyn_cast<Instruction>(V)) follow(*I);
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

void DataRanks::addObject(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, 0);
  if (!Objects.insert(Object).second) return;
  if (auto It = Stored.find(Object); It != Stored.end()) Work.append(It->second.begin(), It->second.end());
}

void DataRanks::follow(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    addObject(Load->getPointerOperand());
    Work.push_back(Load->getPointerOperand()); // the index of a table
    return;
  }
  if (isa<AllocaInst>(I)) return;
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    if (nameOf(*Call).starts_with("MPI_")) return;
    for (const Use &Argument : Call->args())
      if (Argument->getType()->isPointerTy()) addObject(Argument);
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

bool DataRanks::isNaming(const CallBase &Receive) const {
  int Buffer = bufferOf(nameOf(Receive));
  return Buffer >= 0 && unsigned(Buffer) < Receive.arg_size() &&
         Objects.contains(getUnderlyingObject(Receive.getArgOperand(unsigned(Buffer)), 0));
}
