// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines functions in the copy that the static checks read (Canonical.h).
#include "static/CanonicalSizes.h"
#include "static/program/ClosedProgram.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <deque>

using namespace llvm;
using namespace mck::statics;

// Local objects that functions get which call MPI: what their constructors do is to be seen, too.
SmallPtrSet<const Value *, 8> Canonical::objectsWithMpi(ArrayRef<CallBase *> Calls) const {
  SmallPtrSet<const Value *, 8> Found;
  for (const CallBase *Call : Calls)
    if (const Function *Callee = Call->getCalledFunction(); Callee && Speaking.contains(Callee))
      for (const Use &Argument : Call->args())
        if (isa<AllocaInst>(Argument)) Found.insert(Argument);
  return Found;
}

// Callees first, so that what is inlined is complete already. Recursive functions stay calls.
void Canonical::inlineCalls() {
  CallGraph Graph(*Copy);
  SmallVector<Function *, 32> Order;
  SmallPtrSet<const Function *, 8> Recursive, Kept;
  for (auto Part = scc_begin(&Graph); !Part.isAtEnd(); ++Part)
    for (CallGraphNode *Node : *Part) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration()) continue;
      Order.push_back(F);
      if (Part.hasCycle()) Recursive.insert(F);
    }
  SmallPtrSet<const Function *, 16> Inlined;
  for (Function *F : Order) {
    SmallVector<CallBase *, 16> Calls;
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I)) Calls.push_back(Call);
    unsigned Size = F->getInstructionCount();
    SmallPtrSet<const Value *, 8> Objects = objectsWithMpi(Calls);
    for (CallBase *Call : Calls) {
      Function *Callee = Call->getCalledFunction();
      if (!Callee || Callee->isDeclaration() || Callee->isVarArg() || Callee == F) continue;
      unsigned Added = Callee->getInstructionCount();
      bool IsWanted = Speaking.contains(Callee) || Added <= SmallFunction ||
                      (Added <= LargeMember && !Call->arg_empty() && Objects.contains(Call->getArgOperand(0)));
      InlineFunctionInfo Info;
      if (!IsWanted || is_contained(Large, Callee) || Recursive.contains(Callee) || Size + Added > LargestFunction ||
          !InlineFunction(*Call, Info).isSuccess()) {
        Kept.insert(Callee);
        continue;
      }
      Size += Added;
      Inlined.insert(Callee);
    }
  }
  for (Function *F : Order)
    if (Speaking.contains(F) && (!Inlined.contains(F) || Kept.contains(F))) Roots.push_back(F);
  // What its callers have is not there once more: what it stores would be that of another call.
  bool IsClosed = isClosedProgram(*this);
  for (Function *F : Order)
    if (Inlined.contains(F) && !Kept.contains(F) && F->use_empty() && (IsClosed || F->isDiscardableIfUnused())) {
      F->setComdat(nullptr);
      F->deleteBody();
    }
}

// Callers first, as far as there is room. The others are not looked at.
void Canonical::inlineIntoMain() {
  Function *Main = Copy->getFunction("main");
  struct Site {
    CallBase *Call;
    int Within; // the number of the inlined call that it comes from, or -1
  };
  std::vector<std::pair<const Function *, int>> Inlined;
  std::deque<Site> Work;
  for (Instruction &I : instructions(*Main))
    if (auto *Call = dyn_cast<CallBase>(&I)) Work.push_back({Call, -1});
  for (unsigned Size = Main->getInstructionCount(); !Work.empty(); Work.pop_front()) {
    auto [Call, Within] = Work.front();
    Function *Callee = Call->getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Callee->isVarArg() || Callee == Main) continue;
    bool IsRecursive = false;
    for (int At = Within; At >= 0; At = Inlined[size_t(At)].second) IsRecursive |= Inlined[size_t(At)].first == Callee;
    unsigned Added = Callee->getInstructionCount();
    InlineFunctionInfo Info;
    if (IsRecursive || Added > DeepFunction || Size + Added > LargestDeep || !InlineFunction(*Call, Info).isSuccess())
      continue;
    Size += Added;
    Inlined.push_back({Callee, Within});
    for (CallBase *Inner : Info.InlinedCallSites) Work.push_back({Inner, int(Inlined.size()) - 1});
  }
  Roots.push_back(Main);
  SmallPtrSet<const Function *, 16> Called;
  for (const Instruction &I : instructions(*Main))
    if (const auto *Call = dyn_cast<CallBase>(&I)) Called.insert(Call->getCalledFunction());
  for (Function &F : *Copy)
    if (!F.isDeclaration() && &F != Main && !Called.contains(&F)) {
      F.setComdat(nullptr);
      F.deleteBody();
    }
}
