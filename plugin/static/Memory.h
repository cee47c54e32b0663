// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that stayed in memory, and members of structures by the structure's type: which values a load may read. A
// value counts if it is stored somewhere in the module; it is known only if nothing else can have come in between: a
// call of a function that is not known, a message, a copy, a store to an element that is not known.
#pragma once
#include "static/Canonical.h"
#include "static/Writes.h"
#include "llvm/IR/Instructions.h"

namespace mck::statics {

/// What a load of a constant variable gives, or null.
const llvm::Constant *constantAt(const llvm::LoadInst &Load);

class Memory {
public:
  explicit Memory(const Canonical &Code);
  /// The values that the load may read, or null if there may be others. Empty: none is stored, in this module.
  const llvm::SmallVectorImpl<llvm::Value *> *stored(const llvm::LoadInst &Load) const;
  std::optional<Location> locate(const llvm::Value *Address) const { return Places.locate(Address); }

private:
  using Instructions = llvm::SmallVector<const llvm::Instruction *, 4>;
  struct Cell {
    llvm::SmallVector<llvm::Value *, 2> Values;
    Instructions By; // the stores
  };
  struct Answer {
    llvm::SmallVector<llvm::Value *, 2> Values;
    bool IsKnown = false;
  };
  enum class Change { None, Perhaps, Surely };

  const Canonical &Code;
  Areas Places;
  llvm::DenseMap<Location, Cell> Cells;
  llvm::DenseMap<const void *, std::vector<Write>> Writes;                   // of each variable or type
  llvm::DenseMap<const llvm::Function *, Instructions> Unknown, Own, Unseen; // calls, by the caller
  mutable llvm::DenseMap<const llvm::LoadInst *, std::unique_ptr<Answer>> Answers;

  void note(llvm::Function &F);
  Answer find(const llvm::LoadInst &Load) const;
  Change between(const llvm::Instruction &Store, const llvm::LoadInst &Load, const Location &At, bool IsShared,
                 llvm::ArrayRef<const llvm::Instruction *> Same) const;
  bool isKept(const llvm::Value &V) const;
};

} // namespace mck::statics
