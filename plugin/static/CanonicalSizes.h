// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much the copy that the static checks read takes in, in instructions.
#pragma once
#include "static/Canonical.h"

namespace mck::statics {

constexpr unsigned SmallFunction = 120, LargeMember = 600; // that are inlined without calling MPI
constexpr unsigned LargestFunction = 6000;                 // that grows by inlining
/// The same for who executes main; of larger modules there is no such copy.
constexpr unsigned DeepFunction = 2500, LargestDeep = 20000, LargestModule = 60000;

} // namespace mck::statics
