// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that stayed in memory, and members of structures by the structure's type: which values are stored there in
// the whole module. The order of stores is not looked at.
#pragma once
#include "static/Canonical.h"
#include "llvm/IR/Instructions.h"

namespace mck::statics {

/// A variable or a structure's type, and an offset in it.
using Location = std::pair<const void *, int64_t>;

/// What a load of a constant variable gives, or null.
const llvm::Constant *constantAt(const llvm::LoadInst &Load);

class Memory {
public:
  explicit Memory(const Canonical &Code);
  /// The values that are stored at the address, or null if others may be stored there, too. Empty: none, in this
  /// module.
  const llvm::SmallVectorImpl<llvm::Value *> *stored(const llvm::Value *Address) const;
  std::optional<Location> locate(const llvm::Value *Address) const;

private:
  struct Cell {
    llvm::SmallVector<llvm::Value *, 2> Values;
    bool IsOpen = false; // its address goes elsewhere
  };
  const llvm::DataLayout &Layout;
  llvm::DenseMap<Location, Cell> Cells;
};

} // namespace mck::statics
