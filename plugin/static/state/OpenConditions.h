// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that a path took though nothing decided them. Two of them may belong together in a way that is not seen:
// one says whether an epoch is opened, another one whether it is closed. So on one path only conditions may be taken in
// any way of which each lies within the one before: then the last one alone decides. In a later turn of a loop the
// outer ones are taken as before.
#pragma once
#include "static/state/PathWalk.h"

namespace mck::statics {

class OpenConditions {
public:
  static constexpr unsigned Size = 4; // of its part of the state
  /// At: where the machine's state has the set of conditions; behind it are the last one, the ways that were taken,
  /// and whether the last one must be taken as before.
  explicit OpenConditions(unsigned At) : At(At) {}
  /// Takes the condition of a block on this path. False: it may belong together with an earlier one.
  bool take(unsigned Block, Node &N, FunctionView &View) {
    auto Found = llvm::find(Blocks, Block);
    if (Found == Blocks.end()) Found = Blocks.insert(Blocks.end(), Block);
    size_t Own = size_t(Found - Blocks.begin());
    if (Own >= 63) return false;
    bool IsOld = N.State[At] >> Own & 1, IsInside = true;
    for (size_t I = 0; I < Blocks.size(); ++I)
      if (I != Own && N.State[At] >> I & 1) IsInside &= View.region(Blocks[I]).test(Block);
    if (!IsInside && (!IsOld || View.Ways.next(Block).size() != 2)) return false;
    N.State[At + 3] = !IsInside;
    if (IsInside) N.State[At] |= INT64_C(1) << Own, N.State[At + 1] = int64_t(Own);
    return true;
  }
  /// Then the path goes on to one of the next blocks. False: it must not.
  bool go(unsigned Block, unsigned To, Node &N, const FunctionView &View) const {
    auto Found = llvm::find(Blocks, Block);
    if (Found == Blocks.end()) return true;
    size_t Own = size_t(Found - Blocks.begin());
    bool IsSecond = View.Ways.next(Block)[0] != To, MustBeOld = N.State[At + 3];
    N.State[At + 3] = 0;
    if (MustBeOld) return IsSecond == bool(N.State[At + 2] >> Own & 1);
    int64_t Bit = INT64_C(1) << Own;
    N.State[At + 2] = IsSecond ? N.State[At + 2] | Bit : N.State[At + 2] & ~Bit;
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
