// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the memory of one process contains: of each object, what was stored at which offset. What is not certain is not
// there.
#pragma once
#include "static/spmd/Trace.h"

namespace mck::statics {

/// What is known of some bytes apart from a process: numbers, no addresses.
struct Piece {
  struct Part {
    int64_t Size;
    Datum What;
  };
  int64_t Size = 0;
  std::map<int64_t, Part> Parts; // by offset
  /// One number of so many bytes at this offset; Unknown: it is not known.
  Datum at(int64_t Offset, int64_t Bytes) const;
  static Piece of(int64_t Size, const Datum &What);
};

class Contents {
public:
  void store(const Datum &At, int64_t Size, const Datum &What);
  /// All bytes are 0.
  void clearToZero(const Datum &At, int64_t Size);
  /// Null: it is not known, or nothing was stored there. Unknown: it is a copy of what is not known.
  const Datum *load(const Datum &At, int64_t Size) const;
  /// The bits of numbers of other sizes, up to 8 bytes: structures that functions get and give in registers. IsFresh:
  /// what was never stored there is 0, as the bytes between members.
  std::optional<uint64_t> bits(const Datum &At, int64_t Size, bool IsFresh) const;
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
  /// The same from one process to another.
  Piece take(const Datum &At, int64_t Size) const;
  void put(const Datum &To, const Piece &What);

private:
  struct Cell {
    int64_t Size;
    Datum What;
    bool IsCopied = false; // from somewhere: nothing else tells what is there
    bool IsZero = false;   // all of it
    bool isOfBytes() const { return IsZero || What.What == Datum::Unknown; } // a part of it is such a cell
  };
  using Cells = std::map<int64_t, Cell>; // they have no bytes in common
  std::map<Object, Cells> All;
  std::set<Object> Changed; // something was forgotten
  static Cells::const_iterator first(const Cells &In, int64_t Low);
  void clear(const Datum &At, int64_t Size);
};

} // namespace mck::statics
