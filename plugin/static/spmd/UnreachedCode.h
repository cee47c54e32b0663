// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that a program without input never comes to: what it does if MPI gave a wrong sum.
#pragma once
#include "static/state/PathWalk.h"

namespace mck::statics {

class UnreachedCode {
public:
  UnreachedCode(const Canonical &Code, const Memory &Stored) : Code(Code), Stored(Stored) {}
  /// Does no process of main come there, with some numbers of ranks up to 33? False, too: that is not known.
  bool contains(const llvm::Instruction &I);

private:
  const Canonical &Code;
  const Memory &Stored;
  std::unique_ptr<FunctionView> View; // of main; null: nothing was executed yet
  llvm::BitVector Unreached;
  void execute(llvm::Function &Main);
};

} // namespace mck::statics
