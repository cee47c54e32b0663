// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unseen accesses: code that touches relevant memory without a signal. That is inline assembly, instructions of the
// target that have no model, and functions of other modules that get such memory. Only the runtime knows whether those
// were recompiled; it reports them at the end of the run (check unchecked).
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace llvm {
class Function;
class Module;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {

class Points;

class Unseen {
public:
  explicit Unseen(const Points &Module) : Memory(Module) {}
  void look(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);
  /// Makes a constructor that tells the runtime. Returns false where nothing was found.
  bool tell(llvm::Module &M) const;

private:
  const Points &Memory;
  llvm::SmallVector<std::string, 0> Found; // as __mck_unseen_names has them (rt/abi.h)
  llvm::StringSet<> Known;
  llvm::StringMap<unsigned> Places; // of a function, in this module
  static constexpr unsigned PlacesMost = 2;

  bool add(std::string Name);
};

} // namespace mck
