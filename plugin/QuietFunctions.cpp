// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the quiet functions (QuietFunctions.h).
#include "QuietFunctions.h"
#include "Effects.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static constexpr char QuietAttr[] = "mck-quiet";

// The function of the module that is surely called.
static Function *calleeOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() && !Callee->isInterposable() ? Callee : nullptr;
}

void mck::markQuietFunctions(Module &M, function_ref<const TargetLibraryInfo &(Function &)> GetLibrary) {
  // All are taken for quiet at first. Those that do something else themselves are not, nor are their callers.
  DenseMap<const Function *, SmallVector<Function *, 4>> Callers;
  SmallPtrSet<Function *, 32> Loud;
  SmallVector<Function *, 32> Work;
  for (Function &F : M) {
    if (F.isDeclaration() || isQuietFunction(F)) continue;
    const TargetLibraryInfo &Library = GetLibrary(F);
    for (const Instruction &I : instructions(F))
      if (Function *Callee = calleeOf(I)) Callers[Callee].push_back(&F);
      else if (mayLetMpiAct(I, Library)) Loud.insert(&F);
    if (Loud.contains(&F)) Work.push_back(&F);
  }
  while (!Work.empty())
    for (Function *Caller : Callers.lookup(Work.pop_back_val()))
      if (Loud.insert(Caller).second) Work.push_back(Caller);
  for (Function &F : M)
    if (!F.isDeclaration() && !Loud.contains(&F)) F.addFnAttr(QuietAttr);
}

bool mck::isQuietFunction(const Function &F) { return F.hasFnAttribute(QuietAttr); }
