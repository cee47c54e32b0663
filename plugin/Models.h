// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models: what functions that are not compiled here (MPI, the C library) do with pointers that they get.
#pragma once
#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class StringRef;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {

/// Bits are arguments. What a model does not state does not happen: no pointer is kept, none is stored.
struct Model {
  uint32_t Used = 0;      // MPI uses the memory after the call has returned
  uint32_t Filled = 0;    // pointers from outside may be stored there (handles)
  uint32_t Returned = 0;  // the result is a pointer into the argument
  bool IsNew = false;     // the result is a new block
  int NewAt = -1;         // the address of a new block is stored there
  int From = -1, To = -1; // the contents of From are copied to To (the new block, if there is one)
};

/// What MPI keeps of its arguments when a function has returned. NOTHING: nothing but handles. BUFFERS: the buffers,
/// and the argument arrays of collectives, until the operation is complete. UNKNOWN: anything.
enum class Keeps { NOTHING, BUFFERS, UNKNOWN };

struct KeptByMpi {
  Keeps What;
  uint32_t Buffers, Arrays; // bits of its parameters
};
KeptByMpi keptByMpi(llvm::StringRef Name);

/// nullopt: the function may do anything with its pointers.
std::optional<Model> findModel(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

} // namespace mck
