// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What numbers memory holds that a function allocates: those that it stores there and loads from there itself.
#pragma once
#include "static/Canonical.h"

namespace mck::statics {

struct HeapAccess {
  const llvm::Instruction *By;
  bool IsStore, IsAtAddress;
};

struct HeapElements {
  uint32_t Kind = 0; // as log/basic-kind.h has it; 0: several kinds, or not all is seen
  const llvm::CallBase *Allocation = nullptr;
  llvm::SmallVector<HeapAccess, 8> Accesses;
  llvm::SmallVector<const llvm::Use *, 8> Buffers; // arguments of MPI's calls
};

/// The numbers of memory that malloc and the like gave: each use of it is seen, and all loads and stores are of one
/// kind. At the address: in the first turn of the loops around an access.
HeapElements heapElementsAt(const llvm::Value *Address, const Canonical &Code);

} // namespace mck::statics
