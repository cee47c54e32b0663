// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that come from data: does what a receive brings go to an argument that names a rank, as where a message holds
// the number of a worker, or to the condition of such a call? Another message then leads to other calls (Statuses.h).
#pragma once
#include "RankFlow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace mck {

class DataRanks {
public:
  /// F: the function, or a copy of it in which variables are values as far as they can be. Of: itself. Others: what is
  /// known of the other functions.
  DataRanks(const llvm::Function &F, const llvm::Function &Of, const RankFlow *Others);
  /// May what this call receives name a rank?
  bool isNaming(const llvm::CallBase &Receive) const;
  /// May this value, or what is in this memory, name a rank?
  bool isRank(const llvm::Value *V) const { return Seen.contains(V) || Objects.contains(V); }
  auto objects() const { return llvm::make_first_range(Objects); }

private:
  const llvm::Function &Of;
  const RankFlow *Others;
  // What ranks are read from, and where.
  llvm::DenseMap<const llvm::Value *, llvm::SmallPtrSet<const llvm::Instruction *, 2>> Objects;
  llvm::SmallPtrSet<const llvm::Value *, 32> Seen;
  llvm::SmallVector<const llvm::Value *, 32> Work;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<const llvm::Value *, 2>> Stored; // values, by object

  void follow(const llvm::Instruction &I);
  void followChoice(const llvm::PHINode &Choice);
  void addCondition(const llvm::BasicBlock *Block);
  void addObject(const llvm::Value *Pointer, const llvm::Instruction &Reader);
  void addCall(const llvm::CallBase &Call);
  bool isRead(const llvm::Value *Object, const llvm::CallBase &Receive) const;
  bool isNamedElsewhere(const llvm::Value *Object, const llvm::CallBase &Receive) const;
};

} // namespace mck
