// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says which instructions change the meaning of the accesses around them (Effects.h).
#include "Effects.h"
#include "QuietFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

// Functions of the C library whose meaning is known and that call no function of the program.
static bool isHarmless(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  LibFunc Name;
  if (!Callee || !Callee->isDeclaration() || !TLI.getLibFunc(Call, Name)) return false;
  return Name != LibFunc_qsort;
}

bool mck::mayWriteOnlyErrno(const Instruction &I, const TargetLibraryInfo &TLI) {
  const auto *Call = dyn_cast<CallBase>(&I);
  LibFunc Name;
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && TLI.getLibFunc(*Call, Name) && Call->getType()->isFloatingPointTy() &&
         all_of(Call->args(), [](const Use &Argument) {
           return Argument->getType()->isFloatingPointTy() || Argument->getType()->isIntegerTy();
         });
}

bool mck::mayLetMpiAct(const Instruction &I, const TargetLibraryInfo &TLI) {
  if (I.isAtomic() || I.isVolatile()) return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->onlyReadsMemory()) return false;
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call))
    return !isa<AnyMemIntrinsic, DbgInfoIntrinsic, AssumeInst>(Intrinsic) && !Intrinsic->isLifetimeStartOrEnd() &&
           !Intrinsic->onlyAccessesArgMemory() && !Intrinsic->onlyAccessesInaccessibleMemOrArgMem() &&
           Intrinsic->getIntrinsicID() != Intrinsic::masked_scatter;
  const Function *Callee = Call->getCalledFunction();
  bool IsQuiet = Callee && !Callee->isDeclaration() && !Callee->isInterposable() && isQuietFunction(*Callee);
  return !IsQuiet && !isHarmless(*Call, TLI);
}
