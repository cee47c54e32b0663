// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences of collective calls that no execution has in common (collective.divergence): where Divergence.h is unsure,
// since several conditions might make good for each other, and the executions of all ranks are known from beginning to
// end.
#pragma once
#include "static/Warning.h"
#include "static/state/PathWalk.h"
#include <set>

namespace mck::statics {

/// Not in functions of which something was said.
void findExecutedDivergence(const Canonical &Code, const Memory &Stored, const std::set<const llvm::Function *> &Said,
                            Warnings &Out);

} // namespace mck::statics
