// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the permission to be a tail call from calls that order threads (TailCalls.h).
#include "TailCalls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static bool isOfThreads(StringRef Name) {
  constexpr StringLiteral Families[] = {"pthread_", "sem_", "mtx_", "cnd_", "thrd_", "call_once", "omp_", "__kmpc_"};
  return any_of(Families, [&](StringRef Family) { return Name.starts_with(Family); });
}

bool mck::keepCallers(Function &F) {
  bool IsChanged = false;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->isDeclaration() || Call->isMustTailCall() || !isOfThreads(Callee->getName())) continue;
    IsChanged |= Call->getTailCallKind() != CallInst::TCK_NoTail;
    Call->setTailCallKind(CallInst::TCK_NoTail);
  }
  return IsChanged;
}
