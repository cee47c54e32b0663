// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What well-known functions of the C library load and store. They are not instrumented, but their arguments or results
// say how much they touch. Only certain accesses are listed.
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
  llvm::Value *Address, *Length; // bytes; an upper bound if IsString
  bool IsStore, IsString = false;
  bool IsAfter = false; // the length is known only behind the call
  bool IsAtomic = false;
};

/// Lists the accesses at relevant addresses. Adds code that computes lengths behind the call, and before it where
/// lengths from before are needed.
llvm::SmallVector<LibraryAccess, 2> findLibraryAccesses(llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI,
                                                        llvm::function_ref<bool(const llvm::Value *)> IsRelevant);

} // namespace mck
