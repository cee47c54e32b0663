// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of gcc's plugin share (Lines.cpp, SiblingCalls.cpp).
#pragma once
#include <gcc-plugin.h>

namespace mck {

/// Takes the permission to be a jump from calls outside of recursions.
void registerSiblingCalls(const char *Plugin);

} // namespace mck
