// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways of a function to its end. Blocks from which only exit, MPI_Abort or an endless loop can be reached are left
// out, and so is what happens after an exception of a call: who goes there takes part in nothing more. A throw leads to
// the function's own handler.
#pragma once
#include "static/Canonical.h"
#include "llvm/ADT/BitVector.h"

namespace mck::statics {

constexpr unsigned NoBlock = ~0U;

/// A throw that the function itself may catch.
bool isThrow(const llvm::Instruction &Terminator);

class Paths {
public:
  explicit Paths(const llvm::Function &F);
  unsigned size() const { return unsigned(Blocks.size()); }
  const llvm::BasicBlock *block(unsigned At) const { return Blocks[At]; }
  unsigned indexOf(const llvm::BasicBlock *Block) const;
  bool isLive(unsigned At) const { return Live.test(At); }
  bool isEnd(unsigned At) const { return Next[At].empty() && Live.test(At); }
  llvm::ArrayRef<unsigned> next(unsigned At) const { return Next[At]; }
  /// The first block that all ways from here have in common, or NoBlock: only the end.
  unsigned meeting(unsigned At) const { return Meeting[At]; }
  /// The blocks between a block and where its ways meet, without both.
  llvm::BitVector between(unsigned At) const;
  /// The blocks that can be reached from here; in a loop, also this one.
  llvm::BitVector behind(unsigned At) const;
  /// The blocks from which this one can be reached; in a loop, also this one.
  llvm::BitVector before(unsigned At) const;

private:
  std::vector<const llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Index;
  std::vector<llvm::SmallVector<unsigned, 2>> Next, Before;
  llvm::BitVector Live;
  std::vector<unsigned> Meeting;
  void findLive();
  void findMeetings();
};

} // namespace mck::statics
