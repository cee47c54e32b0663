// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the permission to be a tail call from calls outside of recursions (TailCalls.h).
#include "TailCalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

bool mck::keepCallers(Module &M) {
  // Functions of one number call each other. Calls by pointers are not seen, and stay as they are.
  DenseMap<const Function *, unsigned> Recursions;
  CallGraph Calls(M);
  unsigned Number = 0;
  for (auto I = scc_begin(&Calls); !I.isAtEnd(); ++I, Number++)
    for (const CallGraphNode *Node : *I) Recursions[Node->getFunction()] = Number;

  bool IsChanged = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || Callee->isIntrinsic() || Call->isNoTailCall() || Call->isMustTailCall()) continue;
      if (Recursions.lookup(Callee) == Recursions.lookup(&F)) continue;
      Call->setTailCallKind(CallInst::TCK_NoTail);
      IsChanged = true;
    }
  return IsChanged;
}
