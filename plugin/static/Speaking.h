// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions of a module call MPI, at any depth, and which do nothing of the kind.
#pragma once
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace mck::statics {

/// Quiet: functions all of whose calls reach nothing unknown and no MPI. Speaking: those in which MPI is called.
void classify(const llvm::Module &M, llvm::SmallPtrSetImpl<const llvm::Function *> &Quiet,
              llvm::SmallPtrSetImpl<const llvm::Function *> &Speaking);
/// Functions in which the program may end: who calls one may not come back.
llvm::SmallPtrSet<const llvm::Function *, 8> findEnding(const llvm::Module &M);

/// What a function may call, at any depth, also through pointers in tables; callers first, until so many instructions
/// are in it.
llvm::SmallPtrSet<const llvm::Function *, 16> reachedFrom(const llvm::Function &F, unsigned Most);

} // namespace mck::statics
