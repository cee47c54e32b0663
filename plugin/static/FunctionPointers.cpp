// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through pointers (FunctionPointers.h).
#include "static/FunctionPointers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

constexpr size_t MostFunctions = 4;

// The functions that a pointer may be where it is called, so it is not null; nothing if it may be another one, too.
static SmallVector<Function *, MostFunctions> functionsOf(Value *Pointer) {
  SmallVector<Function *, MostFunctions> Found;
  SmallVector<Value *, 8> Work{Pointer};
  SmallPtrSet<Value *, 8> Seen;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second) continue;
    if (auto *F = dyn_cast<Function>(V)) {
      Found.push_back(F);
    } else if (auto *Phi = dyn_cast<PHINode>(V)) {
      Work.append(Phi->value_op_begin(), Phi->value_op_end());
    } else if (auto *Choice = dyn_cast<SelectInst>(V)) {
      Work.push_back(Choice->getTrueValue());
      Work.push_back(Choice->getFalseValue());
    } else if (!isa<ConstantPointerNull>(V)) {
      return {};
    }
    if (Found.size() > MostFunctions || Seen.size() > 16) return {};
  }
  return Found;
}

// A choice of two functions is made by a condition, as those in other variables are: RankValues looks at ways.
static void branchTo(SelectInst &Choice) {
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(Choice.getCondition(), Choice.getIterator(), &Then, &Else);
  PHINode *Phi = PHINode::Create(Choice.getType(), 2, "", Choice.getIterator());
  Phi->addIncoming(Choice.getTrueValue(), Then->getParent());
  Phi->addIncoming(Choice.getFalseValue(), Else->getParent());
  Phi->setDebugLoc(Choice.getDebugLoc());
  Choice.replaceAllUsesWith(Phi);
  Choice.eraseFromParent();
}

bool mck::statics::callsPointers(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall()) return true;
  return false;
}

void mck::statics::callDirectly(Module &M) {
  SmallVector<CallBase *, 8> Calls;
  SmallVector<SelectInst *, 4> Choices;
  auto IsFunction = [](const Value *V) { return isa<Function>(V) || isa<ConstantPointerNull>(V); };
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall() && !Call->isMustTailCall())
        Calls.push_back(Call);
      else if (auto *Choice = dyn_cast<SelectInst>(&I);
               Choice && IsFunction(Choice->getTrueValue()) && IsFunction(Choice->getFalseValue()))
        Choices.push_back(Choice);
  for (SelectInst *Choice : Choices) branchTo(*Choice);
  for (CallBase *Call : Calls) {
    auto Functions = functionsOf(Call->getCalledOperand());
    bool AreLegal = !Functions.empty() &&
                    all_of(Functions, [&](Function *F) { return F->getFunctionType() == Call->getFunctionType(); });
    if (!AreLegal) continue;
    while (Functions.size() > 1) promoteCallWithIfThenElse(*Call, Functions.pop_back_val());
    promoteCall(*Call, Functions.front());
  }
}

// What the tables of classes have in one place; Place: the n-th virtual function. (The first two elements of a table
// are none.) MPI's own classes are left out.
static SmallVector<Function *, 8> virtualFunctions(const Module &M, uint64_t Place, const FunctionType *Type) {
  SmallVector<Function *, 8> Found;
  for (const GlobalVariable &Table : M.globals()) {
    if (!Table.getName().starts_with("_ZTV") || Table.getName().starts_with("_ZTVN3MPI") || !Table.hasInitializer())
      continue;
    const Constant *Elements = Table.getInitializer()->getAggregateElement(0U);
    Constant *Is = Elements ? Elements->getAggregateElement(unsigned(Place) + 2) : nullptr;
    auto *F = dyn_cast_or_null<Function>(Is);
    if (F && !F->isDeclaration() && F->getFunctionType() == Type && !is_contained(Found, F)) Found.push_back(F);
  }
  return Found;
}

// The place of a virtual function that is called; nothing: it is another pointer.
static std::optional<uint64_t> virtualPlace(const CallBase &Call) {
  const auto *Load = dyn_cast<LoadInst>(Call.getCalledOperand());
  if (!Load) return std::nullopt;
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  APInt Offset(64, 0);
  const Value *Table = Load->getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, Offset, true);
  if (!isa<LoadInst>(Table) || Offset.isNegative()) return std::nullopt;
  return Offset.getZExtValue() / Layout.getPointerSize();
}

void mck::statics::callByChoice(Module &M) {
  constexpr size_t MostChosen = 8, MostCalls = 64;
  DenseMap<FunctionType *, SmallVector<Function *, MostChosen>> Taken; // functions whose address something has
  for (Function &F : M)
    if (!F.isDeclaration() && F.hasAddressTaken()) Taken[F.getFunctionType()].push_back(&F);
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall() && !Call->isMustTailCall())
        Calls.push_back(Call);
  if (Calls.size() > MostCalls) return;
  for (CallBase *Call : Calls) {
    SmallVector<Function *, 8> Chosen = Taken.lookup(Call->getFunctionType());
    if (Chosen.size() > MostChosen)
      if (auto Place = virtualPlace(*Call)) Chosen = virtualFunctions(M, *Place, Call->getFunctionType());
    if (Chosen.size() > MostChosen) continue;
    for (Function *F : Chosen) promoteCallWithIfThenElse(*Call, F);
  }
}
