// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends of local variables: a block, a function, or one that was inlined is left. The runtime is told where MPI may be
// using the variable then (rt/abi.h, MCK_SIGNAL_END). The compiler says where variables end (llvm.lifetime.end), at -O0
// because the wrapper asks for it; arrays of variable length end where the stack is restored, and what has no mark ends
// with its function. The optimizer never moves a mark before a call that may access the variable, and a call of MPI
// may, once it has the address.
#pragma once
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class DominatorTree;
class Function;
class Instruction;
} // namespace llvm

namespace mck {

class Points;

struct ScopeEnd {
  llvm::Instruction *At;
  llvm::AllocaInst *Variable;
};

/// Marks the life of arrays of variable length like that of other variables. The optimizer makes those whose size it
/// knows variables of the function, and what restored the stack goes. Returns true when something was inserted.
bool markVariableArrays(llvm::Function &F, const llvm::DominatorTree &DT);

llvm::SmallVector<ScopeEnd, 0> findScopeEnds(llvm::Function &F, const llvm::DominatorTree &DT, const Points &Module);
/// Inserts the signals. Returns true when something was inserted. Adds no blocks.
bool tellScopeEnds(llvm::Function &F, llvm::ArrayRef<ScopeEnd> Ends);

} // namespace mck
