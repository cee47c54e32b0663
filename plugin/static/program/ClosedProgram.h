// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a module have all that its program does with MPI?
#pragma once
#include "static/Canonical.h"

namespace mck::statics {

/// It has main, calls no function that is not known and might call MPI, and no processes of other programs join.
bool isClosedProgram(const Canonical &Code);

} // namespace mck::statics
