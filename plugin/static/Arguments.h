// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that are wrong whatever happens in the run: constants, null handles, buffers that are too small or of other
// numbers than the datatype; and ranks that some process computes wrongly. The kinds are those of the run-time checks
// (rt/record/check).
#pragma once
#include "static/RankValue.h"
#include "static/Warning.h"

namespace mck::statics {

void findArguments(const Canonical &Code, const Memory &Stored, Warnings &Out);

} // namespace mck::statics
