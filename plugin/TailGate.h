// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates of rare calls: one of the object's own, which calls the runtime's function if there is a runtime. Its call is a
// tail call, so the runtime finds the place of the program behind it.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
class Type;
} // namespace llvm

namespace mck {

/// The gate of this name, made when it is asked for first. Entry is the runtime's function, which returns nothing.
llvm::Function *tailGate(llvm::Module &M, llvm::StringRef Name, llvm::StringRef Entry,
                         llvm::ArrayRef<llvm::Type *> Parameters);

} // namespace mck
