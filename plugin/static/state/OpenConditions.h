// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that a path took though nothing decided them. Two of them may belong together in a way that is not seen:
// one says whether an epoch is opened, another one whether it is closed. So on one path only conditions may be taken in
// any way of which each lies within the one before: then the last one alone decides.
#pragma once
#include "static/state/PathWalk.h"

namespace mck::statics {

class OpenConditions {
public:
  /// At: where the machine's state has the set of conditions; behind it is the last one.
  explicit OpenConditions(unsigned At) : At(At) {}
  /// Takes the condition of a block on this path. False: it may belong together with an earlier one.
  bool take(unsigned Block, Node &N, FunctionView &View) {
    auto Found = llvm::find(Blocks, Block);
    if (Found == Blocks.end()) Found = Blocks.insert(Blocks.end(), Block);
    size_t Own = size_t(Found - Blocks.begin());
    if (Own >= 63) return false;
    for (size_t I = 0; I < Blocks.size(); ++I)
      if (I != Own && N.State[At] >> I & 1 && !View.region(Blocks[I]).test(Block)) return false;
    N.State[At] |= INT64_C(1) << Own, N.State[At + 1] = int64_t(Own);
    return true;
  }
  /// The last condition of a path, or null.
  const llvm::Instruction *last(const Node &N, const FunctionView &View) const {
    return N.State[At] ? View.Ways.block(Blocks[size_t(N.State[At + 1])])->getTerminator() : nullptr;
  }

private:
  unsigned At;
  std::vector<unsigned> Blocks;
};

} // namespace mck::statics
