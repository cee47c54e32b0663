// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a process on a path is the root of a collective operation.
#pragma once
#include "static/state/PathWalk.h"
#include <optional>

namespace mck::statics {

/// By what the path's conditions say of its rank in the call's communicator; nothing: it may be both.
std::optional<bool> isRoot(const llvm::CallBase &Call, const MpiFunction &Function, const FunctionView &View,
                           Reasoning &Thinker, const Facts &F);

} // namespace mck::statics
