// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends that no receive of the program can match, and receives that no send can (message.lost,
// message.unmatched-receive, type.mismatch).
#pragma once
#include "static/RankValue.h"
#include "static/Warning.h"

namespace mck::statics {

/// Only of a whole program: it has main, and nothing in it is unknown.
void findLonelyMessages(const Canonical &Code, const Memory &Stored, Warnings &Out);

} // namespace mck::statics
