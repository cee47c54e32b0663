// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relevance: can MPI, or another process, access this memory? It can access everything but memory that provably stays
// inside one activation of one function, and memory that is never written ("A Time-Stamping System ...", section VI:
// label what communication touches). The function itself is asked first, then the whole module (Points.h).
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Value;
}

namespace mck {

class Points;

/// Answers for one function, and remembers the answer for each object. Valid until a use is added that captures a
/// pointer.
class Relevance {
public:
  explicit Relevance(const Points &Module) : Module(Module) {}
  /// Can the memory at this address be part of a window or of a buffer in use by MPI? True when unsure. Why: the
  /// reason.
  bool isRelevant(const llvm::Value *Address, llvm::StringRef &Why);

private:
  const Points &Module;
  bool isPrivate(const llvm::Value *Object);

  llvm::DenseMap<const llvm::Value *, bool> Private;
};

} // namespace mck
