// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the module within which MPI cannot act (mayLetMpiAct, Effects.h): all that they do, and all that they
// call, is known. A loop that calls one is as quiet as if the code stood in it.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Module;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {

/// Gives these functions an attribute, since passes have no state. It stays true while passes add signals and versions.
void markQuietFunctions(llvm::Module &M,
                        llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)> GetLibrary);
bool isQuietFunction(const llvm::Function &F);

} // namespace mck
