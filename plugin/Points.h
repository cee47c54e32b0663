// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can a pointer point to? Of one module; with LTO that is the whole program ("A Time-Stamping System ...", section
// VI: label the variables that communication touches, propagate the labels through assignments and calls).
// Inclusion-based: a set of locations per value, as in Andersen's analysis. A location is an object (variable, block of
// one allocation, or all that the module does not see) and an offset in bytes, or any offset: so members of a structure
// are kept apart, elements of an array are not. What comes from outside or goes there, to functions without a model, is
// as good as given to MPI. All of it errs towards relevance; a module that is too large for it is not analysed.
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

  /// Can what this points to be memory that MPI gets while it may be accessed? Why: in a few words, when it can.
  bool isRelevant(const llvm::Value *Address, llvm::StringRef &Why) const;
  /// Is it a call that makes a block of its own, of a function that is known to? (What is merely said to, may hand out
  /// pieces of a window.)
  bool isBlock(const llvm::Value *V) const;

private:
  class Solver;
  std::unique_ptr<Solver> Impl;
};

} // namespace mck
