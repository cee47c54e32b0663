// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can a pointer point to? The analysis covers one module; with LTO that is the whole program ("A Time-Stamping
// System ...", section VI: label the variables that communication touches, propagate the labels through assignments and
// calls). It is inclusion-based: a set of locations per value, as in Andersen's analysis. A location is an object
// (variable, block of one allocation, or all that the module does not see) and an offset in bytes, or any offset. So
// members of a structure are kept apart, elements of an array are not. Memory that comes from outside or goes there, to
// functions without a model, counts as given to MPI. In doubt memory is relevant. A module that is too large is not
// analysed.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace llvm {
class Function;
class Module;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace mck {

class Points {
public:
  using LibraryOf = const llvm::TargetLibraryInfo &(*)(llvm::Function &F, void *Context);
  Points(llvm::Module &M, LibraryOf Library, void *Context);
  ~Points();
  Points(Points &&);

  /// Can this point to memory that MPI gets while it may be accessed? Why: the reason in a few words, when it can.
  bool isRelevant(const llvm::Value *Address, llvm::StringRef &Why) const;
  /// Is it a call of a function that is known to return a new block? (A function that is only declared so may hand out
  /// pieces of a window.)
  bool isBlock(const llvm::Value *V) const;

private:
  class Solver;
  std::unique_ptr<Solver> Impl;
};

} // namespace mck
