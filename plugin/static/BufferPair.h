// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the two buffers of one call lie from each other, where both are of one object: what a call sends and what it
// receives must not overlap (MPI-3.1 2.3, 3.10).
#pragma once
#include "static/RankValue.h"

namespace mck::statics {

/// Before results become opaque values (Canonical.h): notes at the call whether its buffers are of one object.
void noteBufferPair(llvm::CallBase &Call, const MpiFunction &Function);
/// From the buffer that is received into to the one that is sent, in bytes, for the process that Values is set to.
/// None: it is not known, or they are of different objects.
std::optional<int64_t> bufferDistance(const llvm::CallBase &Call, const MpiFunction &Function, RankValues &Values);

} // namespace mck::statics
