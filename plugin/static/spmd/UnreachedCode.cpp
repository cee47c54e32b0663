// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes main with some numbers of ranks (UnreachedCode.h). Large ones are among them: sums may grow with the ranks.
#include "static/spmd/UnreachedCode.h"
#include "static/spmd/Processes.h"

using namespace llvm;
using namespace mck::statics;

// What a round without arguments takes for certain may be otherwise in other runs.
static bool takesInput(const Function &Main) {
  static constexpr StringRef Names[] = {"getenv", "secure_getenv", "fopen", "fopen64",
                                        "fdopen", "tmpfile",       "popen", "opendir"};
  return any_of(Main.args(), [](const Argument &A) { return !A.use_empty(); }) ||
         any_of(*Main.getParent(),
                [](const Function &F) { return is_contained(Names, F.getName()) && !F.use_empty(); });
}

void UnreachedCode::execute(Function &Main) {
  View = std::make_unique<FunctionView>(Code, Stored, Main);
  Unreached.resize(View->Ways.size());
  CommKey World = findWorld(*Main.getParent());
  if (!World || takesInput(Main)) return;
  RankValues Values(Code, Stored);
  BitVector Reached(View->Ways.size());
  bool IsExecuted = false;
  for (int Size : {2, 3, 4, 5, 16, 33})
    for (const Trace &One : executeProcesses(*View, Values, World, Size, NoArguments)) {
      if (!One.IsWhole && !One.IsEnded) return;
      IsExecuted |= One.IsWhole;
      Reached |= One.Visited;
    }
  if (IsExecuted) Unreached = Reached.flip();
}

bool UnreachedCode::contains(const Instruction &I) {
  auto *F = const_cast<Function *>(I.getFunction());
  if (F->getName() != "main") return false;
  if (!View) execute(*F);
  unsigned At = View->Ways.indexOf(I.getParent());
  return At < Unreached.size() && Unreached.test(At);
}
