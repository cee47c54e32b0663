// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in memory: an object and an offset in it. What is not certain is neither equal nor apart.
#pragma once
#include "static/state/Facts.h"
#include <map>

namespace mck::statics {

struct Place {
  const llvm::Value *Base = nullptr; // a variable, what a call or load gave, an argument
  ValueNumber Object = 0;            // its number
  Sum Offset;                        // in bytes
};

enum class Meeting { Never, Perhaps, Surely };

class Places {
public:
  Places(Reasoning &Thinker, const llvm::DataLayout &Layout) : Thinker(Thinker), Layout(Layout) {}
  Place of(const llvm::Value *Address, const Facts &F);
  /// Do so many bytes at one place and at another have some in common? Length 0: at least one byte, not known how many.
  Meeting meet(const Place &A, int64_t LengthA, const Place &B, int64_t LengthB, const Facts &F);
  /// Can two addresses be of one object?
  Meeting sameObject(const llvm::Value *A, const llvm::Value *B);
  /// A variable or allocation of this function whose address goes to MPI and to nothing else, and of which no copy is
  /// made. IsAddress: of what is in it copies may be made.
  bool isPrivate(const llvm::Value *Base, bool IsAddress = false);
  const llvm::DataLayout &layout() const { return Layout; }

private:
  Reasoning &Thinker;
  const llvm::DataLayout &Layout;
  std::map<std::pair<const llvm::Value *, bool>, bool> Private;
};

/// Bytes of one element of a datatype that MPI predefines; 0: not known.
int64_t sizeOfBasic(const llvm::Value *Datatype);
/// malloc and the like.
bool isAllocation(const llvm::Value *V);
/// free, or an operator delete.
bool isRelease(const llvm::CallBase &Call);

} // namespace mck::statics
