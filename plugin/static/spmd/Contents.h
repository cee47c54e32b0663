// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the memory of one process contains: of each object, what was stored at which offset. What is not certain is not
// there.
#pragma once
#include "static/spmd/Trace.h"

namespace mck::statics {

class Contents {
public:
  void store(const Datum &At, int64_t Size, const Datum &What);
  /// Null: it is not known, or nothing was stored there. Unknown: it is a copy of what is not known.
  const Datum *load(const Datum &At, int64_t Size) const;
  /// Has nothing been stored there, and nothing been forgotten of the object? Then it has its first value.
  bool isUntouched(const Datum &At, int64_t Size) const;
  /// Everything in the object may have changed.
  void forget(const Object &O);
  /// These bytes of it may have changed.
  void forget(const Object &O, int64_t Low, int64_t High);
  void forgetIf(llvm::function_ref<bool(const Object &)> P);
  /// How many places have this address?
  unsigned count(const Datum &What) const;
  /// Calls back with what is in the object.
  void forEach(const Object &O, llvm::function_ref<void(const Datum &)> Look) const;
  /// Copies what is known of so many bytes.
  void copy(const Datum &To, const Datum &From, int64_t Size);

private:
  struct Cell {
    int64_t Size;
    Datum What;
    bool IsCopied = false; // from somewhere: nothing else tells what is there
  };
  std::map<Object, std::map<int64_t, Cell>> All;
  std::set<Object> Changed; // something was forgotten
  void clear(const Datum &At, int64_t Size);
};

} // namespace mck::statics
