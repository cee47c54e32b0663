// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A datatype argument of a call: a predefined one, or one that was made of them with constants.
#pragma once
#include "static/RankValue.h"

namespace mck::statics {

struct Datatype {
  llvm::StringRef Basic;          // the predefined type of all its elements: "MPI_INT"; empty: not known
  uint32_t Kind = 0;              // of its numbers (log/basic-kind.h); 0: bytes, characters, pairs
  uint64_t Numbers = 0;           // of this kind, in one element of the type
  uint64_t Extent = 0, Reach = 0; // MPI-3.1 4.1; bytes from the first to the last byte
  bool isKnown() const { return Extent != 0; }
  /// The bytes that so many elements reach over.
  uint64_t reach(uint64_t Count) const { return Count ? (Count - 1) * Extent + Reach : 0; }
};
Datatype describeDatatype(const llvm::Value *Handle, const Canonical &Code, RankValues &Values);

} // namespace mck::statics
