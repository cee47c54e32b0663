// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes an address is of, as far as the module shows it. Members of structures are known by the innermost
// structure's type, whatever object they are in; other variables are known by themselves.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include <optional>

namespace mck::statics {

/// A variable or a structure's type, and an offset in it.
using Location = std::pair<const void *, int64_t>;

/// Bytes of a variable, or of all structures of a type.
struct Area {
  const void *Of;
  int64_t Begin, End;
  bool IsStructure; // Of is a structure's type
  bool has(const Location &At) const { return Of == At.first && Begin <= At.second && At.second < End; }
  bool isWhole() const { return Begin == INT64_MIN; }
};
using AreaList = llvm::SmallVector<Area, 4>;

class Areas {
public:
  explicit Areas(const llvm::DataLayout &Layout) : Layout(Layout) {}
  /// Learns from a function which structures its pointers point to.
  void learn(const llvm::Function &F);
  std::optional<Location> locate(const llvm::Value *Address) const;
  /// The number, pointer, or array of these that is at the address.
  std::optional<Area> member(const llvm::Value *Address) const;
  /// What may be written by one who gets the address: of a member, that member; of a structure, all of it. IsMore: of
  /// a member, what is beside it, too.
  AreaList behind(const llvm::Value *Address, bool IsMore = false) const;

private:
  const llvm::DataLayout &Layout;
  using Structures = llvm::SmallPtrSet<llvm::Type *, 2>;
  llvm::DenseMap<const llvm::Value *, Structures> OfValue;
  llvm::DenseMap<Location, Structures> InPlace; // what the pointers point to that are kept there
  struct Found {
    Location At;
    Area Member;
  };
  std::optional<Found> find(const llvm::Value *Address) const;
  std::optional<Found> first(const llvm::Value *Pointer, int64_t Offset) const;
  std::optional<Found> descend(const void *Of, llvm::Type *Type, int64_t Offset) const;
  void addWhole(llvm::Type *Type, AreaList &All) const;
};

} // namespace mck::statics
