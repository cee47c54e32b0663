// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// collective.divergence: a condition in which the ranks of a communicator differ sends them on ways with different
// sequences of collective calls (MPI-3.1 5.1, 5.13: all members make the same calls in the same order).
#pragma once
#include "static/RankValue.h"
#include "static/Warning.h"
#include <set>

namespace mck::statics {

/// The functions in which something was found.
std::set<const llvm::Function *> findDivergence(const Canonical &Code, const Memory &Stored, Warnings &Out);

} // namespace mck::statics
