// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables that buffers of MPI calls point into, told to the runtime right before the call (rt/abi.h,
// __mck_object): their bounds are known here and nowhere else. Nothing is inserted where the object is not known.
#pragma once

namespace llvm {
class Function;
}

namespace mck {

/// True when something was inserted. Adds blocks.
bool tellObjects(llvm::Function &F);

} // namespace mck
