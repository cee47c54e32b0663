// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions that are not compiled here do with the pointers they are given: MPI, and the C library.
#pragma once
#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {

/// Bits are arguments. What is not said does not happen: no pointer is kept, nothing that is a pointer is stored.
struct Model {
  uint32_t Used = 0;      // MPI goes on to use the memory after it has returned
  uint32_t Filled = 0;    // pointers from outside may be stored there (handles)
  uint32_t Returned = 0;  // it returns a pointer into it
  bool IsNew = false;     // it returns a block of its own
  int From = -1, To = -1; // what From holds is copied to To (a new block, if it makes one)
};

/// Nothing: whoever is called may do anything with them.
std::optional<Model> findModel(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

} // namespace mck
