// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions that are not inlined read and write by their pointers: large ones of the module, recursive ones such
// as those of std::sort, and the C library's.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace mck::statics {

/// Bytes at an argument, or at an address. Without a Length Bytes are touched.
struct CalleeAccess {
  unsigned Argument = 0;
  const llvm::Value *Address = nullptr, *Length = nullptr; // of the library: values at the call
  int64_t Offset = 0, Bytes = 0;
  bool IsStore = false;
  bool operator==(const CalleeAccess &O) const {
    return Argument == O.Argument && Offset == O.Offset && Bytes == O.Bytes && IsStore == O.IsStore;
  }
};

class CalleeAccesses {
public:
  /// Large functions without MPI whose bodies are worth to be read: those that get pointers where messages are on their
  /// way.
  static llvm::SmallPtrSet<const llvm::Function *, 16>
  findReadable(const llvm::Module &M, const llvm::SmallPtrSetImpl<const llvm::Function *> &Speaking,
               unsigned SmallFunction);
  /// Bodies of the functions, and calls of the library in others. May add code that computes lengths.
  void read(llvm::Module &M, const llvm::SmallPtrSetImpl<const llvm::Function *> &Quiet,
            const llvm::SmallPtrSetImpl<const llvm::Function *> &Speaking);
  /// Sizes: arguments that must not be zero or less for this to hold.
  llvm::ArrayRef<CalleeAccess> of(const llvm::CallBase &Call, llvm::ArrayRef<unsigned> &Sizes) const;

  struct Summary {
    llvm::SmallVector<CalleeAccess, 4> All;
    llvm::SmallVector<unsigned, 2> Sizes;
  };

private:
  llvm::DenseMap<const llvm::Function *, Summary> Bodies;
  llvm::DenseMap<const llvm::CallBase *, llvm::SmallVector<CalleeAccess, 2>> Library;
  void readLibrary(llvm::Function &F);
};

} // namespace mck::statics
