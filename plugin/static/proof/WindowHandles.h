// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which window can a handle be of? For proofs: what is not certain is any window.
#pragma once
#include "static/Canonical.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mck::statics {

class WindowHandles {
public:
  WindowHandles(const Canonical &Code, const llvm::Module &Source) : Code(Code), Source(Source) {}
  /// The calls that may have made the window; null among them: it may be any. Empty: it is no window.
  using Makers = llvm::SmallPtrSet<const llvm::CallBase *, 2>;
  Makers of(const llvm::Value *Handle);
  /// A pointer that a library keeps in a variable of its own, and the program only reads: stdout.
  bool isFromLibrary(const llvm::Value *Pointer) const;

private:
  const Canonical &Code;
  const llvm::Module &Source;
  void addLeaf(const llvm::Value *V, Makers &Found, llvm::SmallVectorImpl<const llvm::Value *> &Work);
  bool addStored(const llvm::Value *Address, llvm::SmallVectorImpl<const llvm::Value *> &Work);
  bool isOnlyStored(const llvm::Value &Variable) const;
};

} // namespace mck::statics
