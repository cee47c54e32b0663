// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory can MPI, or another process, possibly get to see? Everything but what provably stays inside one
// activation of one function, and what nobody writes ("A Time-Stamping System ...", section VI: label what
// communication touches): what a function shows of itself, and then what is known of the whole module (Points.h).
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Value;
}

namespace mck {

class Points;

/// Answers for one function; remembers what it found out about each object. Valid as long as no use is added that
/// captures a pointer.
class Relevance {
public:
  explicit Relevance(const Points &Module) : Module(Module) {}
  /// Can the memory behind this address be part of a window or of a buffer in use by MPI? True when unsure. Why: if so.
  bool isRelevant(const llvm::Value *Address, llvm::StringRef &Why);

private:
  const Points &Module;
  bool isPrivate(const llvm::Value *Object);

  llvm::DenseMap<const llvm::Value *, bool> Private;
};

} // namespace mck
