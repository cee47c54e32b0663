// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// collective.divergence: a condition in which the ranks of a communicator differ sends them on ways with different
// sequences of collective calls (MPI-3.1 5.1, 5.13: all members make the same calls in the same order).
#pragma once
#include "static/RankValue.h"
#include "static/Warning.h"
#include <set>
#include <vector>

namespace mck::statics {

/// A call that is warned of, since the ranks that take another way from a condition do not make it.
struct MissingCall {
  const llvm::CallBase *Call;
  const llvm::Instruction *Condition;
  const llvm::BasicBlock *To; // the way to the call
};
struct Divergences {
  std::set<const llvm::Function *> Functions; // in which something was found
  std::vector<MissingCall> Missing;
};
Divergences findDivergence(const Canonical &Code, const Memory &Stored, Warnings &Out);

} // namespace mck::statics
