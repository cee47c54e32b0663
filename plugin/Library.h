// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What well-known functions of the C library load and store. They are not instrumented code, but how much they touch is
// known from their arguments or from what they return; only what is certain is said.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace mck {

struct LibraryAccess {
  llvm::Value *Address, *Length; // bytes, at most if IsString
  bool IsStore, IsString = false;
  bool IsAfter = false; // known behind the call
  bool IsAtomic = false;
};

/// Those at addresses that are relevant; adds code behind the call that computes lengths, and before it where lengths
/// of before are needed.
llvm::SmallVector<LibraryAccess, 2> findLibraryAccesses(llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI,
                                                        llvm::function_ref<bool(const llvm::Value *)> IsRelevant);

} // namespace mck
