// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for calls that need a partner (NeededMessages.h).
#include "static/program/NeededMessages.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

// A number in a variable that nothing stores to: "int verbose;", which is changed in the source or in a debugger.
static const ConstantInt *unsetNumber(const Value *V) {
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *Variable = Load && !Load->isVolatile() ? dyn_cast<GlobalVariable>(Load->getPointerOperand()) : nullptr;
  if (!Variable || !Variable->hasInitializer() || !Load->getType()->isIntegerTy()) return nullptr;
  bool IsRead = all_of(Variable->users(),
                       [](const User *By) { return isa<LoadInst>(By) && !cast<LoadInst>(By)->isVolatile(); });
  const auto *Is = dyn_cast<ConstantInt>(Variable->getInitializer());
  return IsRead && Is && Is->getType() == Load->getType() ? Is : nullptr;
}

// The way that a condition on such a variable leads, or null.
static const BasicBlock *wayOfUnset(const Instruction &End) {
  const auto *Branch = dyn_cast<BranchInst>(&End);
  const auto *Asked = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  const ConstantInt *Left = Asked ? unsetNumber(Asked->getOperand(0)) : nullptr;
  const auto *Right = Left ? dyn_cast<ConstantInt>(Asked->getOperand(1)) : nullptr;
  if (!Right) return nullptr;
  return Branch->getSuccessor(ICmpInst::compare(Left->getValue(), Right->getValue(), Asked->getPredicate()) ? 0 : 1);
}

NeededMessages::View::View(const Function &F) : Ways(F), Returning(Ways.size()), Reached(Ways.size()) {
  SmallVector<const BasicBlock *, 32> Work{&F.getEntryBlock()};
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    unsigned At = Ways.indexOf(Block);
    if (At == NoBlock || Reached.test(At)) continue;
    Reached.set(At);
    if (const BasicBlock *Only = wayOfUnset(*Block->getTerminator())) Work.push_back(Only);
    else append_range(Work, successors(Block));
  }
  for (unsigned At = 0; At < Ways.size(); ++At) {
    if (!Ways.isLive(At)) continue;
    BitVector Reached = Ways.behind(At);
    Reached.set(At);
    for (unsigned To : Reached.set_bits())
      if (Ways.isEnd(To) && !isThrow(*Ways.block(To)->getTerminator())) Returning.set(At);
  }
}

NeededMessages::NeededMessages(const Canonical &Code) {
  const Module &M = Code.module();
  for (const char *First : {"main", "llvm.global_ctors"})
    if (const GlobalValue *Named = M.getNamedValue(First)) execute(*Named);
  for (const char *Name : {"MPI_Cancel", "PMPI_Cancel"})
    if (const Function *Cancel = M.getFunction(Name)) HasCancel |= !Cancel->use_empty();
}

// What is called, and what has its address in code that is executed, or in a variable that such code names.
void NeededMessages::execute(const Constant &First) {
  SmallPtrSet<const Constant *, 32> Seen{&First};
  SmallVector<const Constant *, 32> Work{&First};
  auto Add = [&](const User &By) {
    for (const Use &Operand : By.operands())
      if (const auto *Named = dyn_cast<Constant>(Operand); Named && Seen.insert(Named).second) Work.push_back(Named);
  };
  while (!Work.empty()) {
    const Constant *At = Work.pop_back_val();
    const auto *F = dyn_cast<Function>(At);
    Add(*At);
    if (!F || F->isDeclaration()) continue;
    Executed.insert(F);
    for (const Instruction &I : instructions(*F)) Add(I);
  }
}

// Each way from where a persistent request is made leads to a call that starts requests.
bool NeededMessages::isStarted(const CallBase &Call, const View &In) const {
  SmallPtrSet<const BasicBlock *, 8> Starts;
  for (const Instruction &I : instructions(*Call.getFunction()))
    if (const auto *Other = dyn_cast<CallBase>(&I))
      if (const MpiFunction *Mpi = findMpi(*Other);
          Mpi && (Mpi->Number == MCK_FN_MPI_Start || Mpi->Number == MCK_FN_MPI_Startall))
        Starts.insert(Other->getParent());
  for (unsigned At = In.Ways.indexOf(Call.getParent()); At != NoBlock; At = In.Ways.meeting(At))
    if (Starts.contains(In.Ways.block(At))) return true;
  return false;
}

bool NeededMessages::isNeeded(const CallBase &Call, const MpiFunction &Function) {
  const mck_std_fn &Row = Function.row();
  if (Row.polling || !Executed.contains(Call.getFunction()) || (Row.has_request && HasCancel)) return false;
  const View &In = Views.try_emplace(Call.getFunction(), *Call.getFunction()).first->second;
  unsigned At = In.Ways.indexOf(Call.getParent());
  // A last message before MPI_Abort need not arrive.
  if (At == NoBlock || !In.Returning.test(At) || !In.Reached.test(At)) return false;
  return Row.persistent != Function.Number || isStarted(Call, In);
}
