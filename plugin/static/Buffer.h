// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a buffer argument of a call points to, as far as the module says it: a variable with its type, or memory that
// was just allocated with a known size.
#pragma once
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"
#include <optional>

namespace mck::statics {

struct Buffer {
  bool IsNull = false, IsInPlace = false; // MPI_BOTTOM is null, too
  bool MayBeInPlace = false;              // on some ways, or ranks
  llvm::Type *Variable = nullptr;         // the type of the whole variable; null: allocated memory, or not known
  uint64_t Size = 0;                      // bytes of the object; 0: not known
  std::optional<uint64_t> Offset;         // where in the object; none: not known
  /// The bytes from there to the end of the object; where the offset is not known, all of it. 0: not known.
  uint64_t room() const { return Size - Offset.value_or(0); }
};
Buffer describeBuffer(const llvm::Value *Address, const llvm::DataLayout &Layout);

/// The numbers that a variable consists of from an offset on.
struct Numbers {
  uint32_t Kind = 0;    // class | bytes of a number << 8, as log/basic-kind.h has it; 0: several kinds, or not known
  uint64_t Count = 0;   // until the end of the member, or of the variable
  bool IsWhole = false; // it is the whole variable
  llvm::StructType *Holder = nullptr; // the structure whose member these are
  bool IsFirst = false;               // its first one
};
/// The kind of a number. Characters and booleans are bytes; pointers are none.
uint32_t kindOfNumber(const llvm::Type *T);
/// Bit-fields look like other integers. A structure that debug information does not describe may have some.
bool mayHaveBitFields(const llvm::StructType &Structure, const llvm::Module &M);
Numbers numbersAt(llvm::Type *Variable, uint64_t Offset, const llvm::DataLayout &Layout);

} // namespace mck::statics
