// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables that buffers of MPI calls point into. Right before the call the runtime gets their bounds (rt/abi.h,
// __mck_object): only the compiler knows them. Nothing is inserted where the object is not known.
#pragma once

namespace llvm {
class Function;
}

namespace mck {

/// Returns true when something was inserted. Adds blocks.
bool tellObjects(llvm::Function &F);

} // namespace mck
