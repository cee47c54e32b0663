// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that come from data: does what a receive brings go to an argument that names a rank, as where a message holds
// the number of a worker, or to the condition of such a call? Another message then leads to other calls (Statuses.h).
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace mck {

class DataRanks {
public:
  /// Of a function whose variables are values as far as they can be.
  explicit DataRanks(const llvm::Function &F);
  /// May what this call receives name a rank?
  bool isNaming(const llvm::CallBase &Receive) const;

private:
  // What ranks are read from, and where.
  llvm::DenseMap<const llvm::Value *, llvm::SmallPtrSet<const llvm::Instruction *, 2>> Objects;
  llvm::SmallPtrSet<const llvm::Value *, 32> Seen;
  llvm::SmallVector<const llvm::Value *, 32> Work;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<const llvm::Value *, 2>> Stored; // values, by object

  void follow(const llvm::Instruction &I);
  void followChoice(const llvm::PHINode &Choice);
  void addCondition(const llvm::BasicBlock *Block);
  void addObject(const llvm::Value *Pointer, const llvm::Instruction &Reader);
  bool isRead(const llvm::Value *Object, const llvm::CallBase &Receive) const;
};

} // namespace mck
