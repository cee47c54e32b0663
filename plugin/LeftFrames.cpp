// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the runtime where setjmp has returned or an exception was caught (LeftFrames.h).
#include "LeftFrames.h"
#include "TailGate.h"
#include "abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

// Not all functions that return twice: vfork is one, too, and getcontext may go on with another stack. A handler of C++
// begins with __cxa_begin_catch.
bool isBehindJump(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && !Call->isMustTailCall() &&
         StringSwitch<bool>(Callee->getName())
             .Cases("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__cxa_begin_catch", true)
             .Default(false);
}

} // namespace

bool mck::tellLeftFrames(Function &F) {
  SmallVector<Instruction *, 4> Behind;
  for (Instruction &I : instructions(F))
    if (isBehindJump(I)) Behind.push_back(I.getNextNode());
  for (Instruction *At : Behind) {
    IRBuilder<> Builder(At);
    DebugLoc Place = At->getPrevNode()->getDebugLoc();
    if (!Place && F.getSubprogram()) // a call without a place is invalid in a function that has places
      Place = DILocation::get(F.getContext(), 0, 0, F.getSubprogram());
    Builder.SetCurrentDebugLocation(Place);
    Builder.CreateCall(tailGate(*F.getParent(), "mck.left.gate", "__mck_left", {}), {})->setDoesNotThrow();
  }
  return !Behind.empty();
}
