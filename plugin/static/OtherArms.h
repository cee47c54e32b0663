// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where some processes make a window or communicator by one call and the others by another one, in the other arm of a
// condition, it is one object, and all of them are its members.
#pragma once
#include "static/Call.h"

namespace mck::statics {

/// Calls of the function of MPI that a process comes to in place of this one, or that it may leave out.
llvm::SmallVector<const llvm::CallBase *, 2> otherArms(const llvm::CallBase &Maker);

} // namespace mck::statics
