// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A datatype argument of a call: a predefined one, or one that was made of them with constants.
#pragma once
#include "static/RankValue.h"
#include <vector>

namespace mck::statics {

/// Numbers of one predefined type, side by side in one element of a structure type.
struct DatatypePart {
  uint64_t Offset;
  llvm::StringRef Basic;
  uint32_t Kind;
  uint64_t Count;
};

struct Datatype {
  llvm::StringRef Basic;           // the predefined type of all its elements: "MPI_INT"; empty: not known
  uint32_t Kind = 0;               // of its numbers (log/basic-kind.h); 0: bytes, characters, pairs
  uint64_t Numbers = 0;            // of this kind, in one element of the type
  uint64_t Extent = 0, Reach = 0;  // MPI-3.1 4.1; bytes from the address to the last byte
  bool HasGaps = false;            // bytes of its extent that are not moved
  std::vector<DatatypePart> Parts; // of a structure type, which has no Basic
  bool isKnown() const { return Extent != 0; }
  /// So many elements are all bytes from their address on.
  bool isDense() const { return isKnown() && !HasGaps; }
  /// The bytes that so many elements reach over.
  uint64_t reach(uint64_t Count) const { return Count ? (Count - 1) * Extent + Reach : 0; }
};
/// The bytes of one element of a predefined datatype; 0: it is none.
uint64_t bytesOfBasic(const llvm::Value *Handle);
Datatype describeDatatype(const llvm::Value *Handle, const Canonical &Code, RankValues &Values);

} // namespace mck::statics
