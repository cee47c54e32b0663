// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks that one process surely comes to: conditions that can be computed lead it, also in the first turn of a
// loop, and at others it goes on where all ways meet. On request conditions lead it, too, that all processes decide
// alike by the input alone: where it then comes to, it comes to with such an input.
#pragma once
#include "static/Paths.h"
#include "static/RankValue.h"

namespace mck::statics {

using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 32>;

/// The blocks that a process may come to: those behind conditions that it does not have are left out.
BlockSet possibleBlocks(const llvm::Function &F, RankValues &Values, const Process &P);
/// Those that some process may come to. A case of a helper that this caller does not ask for is none.
BlockSet possibleBlocks(const llvm::Function &F, RankValues &Values, CommKey Comm);

class SureWays {
public:
  SureWays(const llvm::Function &F, const Paths &Ways, RankValues &Values);
  /// The blocks of this process, for which the values are set.
  llvm::BitVector of(const Process &P);
  /// A number that is to be known where the process comes to a block for the first time.
  void watch(unsigned Block, const llvm::Value *V) { Watched[Block].push_back(V); }
  /// What it was then, in the first turns of the loops around; none: not known.
  std::optional<int64_t> first(const llvm::Value *V) const {
    auto Known = First.find(V);
    return Known == First.end() ? std::nullopt : std::optional<int64_t>(Known->second);
  }
  /// From now on conditions on the input lead, too. False if there are none.
  bool followInput(CommKey Comm);

private:
  const Paths &Ways;
  RankValues &Values;
  llvm::DominatorTree Tree;
  llvm::BitVector OfInput, Found;
  llvm::SmallVector<unsigned, 4> Turns;        // the headers of the loops whose first turn it is
  llvm::DenseMap<unsigned, unsigned> CameFrom; // by no other way, in this turn
  int Round = 0;
  llvm::DenseMap<unsigned, llvm::SmallVector<const llvm::Value *, 4>> Watched;
  llvm::DenseMap<const llvm::Value *, int64_t> First;       // what is watched, on this way
  llvm::DenseMap<unsigned, const llvm::BasicBlock *> Taken; // by the input of this round

  struct Decision {
    const llvm::BasicBlock *Next = nullptr;
    bool IsAssumed = false, IsDifferent = false;
    bool IsTurn = false; // in the first turn of a loop only
  };
  Decision decide(unsigned At);
  llvm::Constant *firstTurn(const llvm::Value *V, Decision &How, unsigned Depth);
  const llvm::Value *beginning(const llvm::PHINode &Phi) const;
  bool isHeader(unsigned At) const;
  void look(unsigned At);
  bool leads(unsigned At, const Decision &Here);
  void go(unsigned At);
};

} // namespace mck::statics
