// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for calls that are not known (ClosedProgram.h).
#include "static/program/ClosedProgram.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

bool mck::statics::isClosedProgram(const Canonical &Code) {
  const Function *Main = Code.module().getFunction("main");
  if (!Main || Main->isDeclaration()) return false;
  for (const Function &F : Code.module())
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || isa<IntrinsicInst>(I) || Code.origin(Call)) continue;
      const MpiFunction *Mpi = findMpi(*Call);
      if (Mpi && Mpi->row().world != MCK_STD_WORLD_NONE) return false; // another program
      bool IsOwn = Call->getCalledFunction() && !Call->getCalledFunction()->isDeclaration();
      if (!Mpi && !IsOwn && Code.mayReachMpi(*Call)) return false;
    }
  return true;
}
