// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with calls of a program by the numbers that each of its processes computes: ranks, buffers, targets
// that are not locked, messages without a partner.
#pragma once
#include "static/Memory.h"
#include "static/Warning.h"

namespace mck::statics {

void findExecutedFaults(const Canonical &Code, const Memory &Stored, Warnings &Out);

} // namespace mck::statics
