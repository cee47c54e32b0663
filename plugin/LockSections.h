// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known sections of locks. Where a thread takes a lock, and all that it does up to giving it back is in sight, the
// runtime is told of the section and of each access in it (rt/abi.h, __mck_section). So it knows which section comes
// behind which other one in every run, and which does only in this run (rt/thread/thread-section.h).
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/ValueHandle.h"

namespace mck {

struct LockSection {
  llvm::WeakVH Lock;    // the call that takes the lock
  llvm::Value *Address; // what it takes; null: the call always succeeds
  llvm::SmallVector<llvm::WeakVH, 8> Accesses;
  llvm::SmallVector<llvm::WeakVH, 4> Loaded, Stored; // variables that loops of the section access
};

llvm::SmallVector<LockSection, 0> findLockSections(llvm::Function &F);
/// Inserts the calls. Returns true when something was inserted. Adds blocks.
bool tellLockSections(llvm::Function &F, llvm::ArrayRef<LockSection> Sections);

} // namespace mck
