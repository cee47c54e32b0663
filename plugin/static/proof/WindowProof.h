// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows whose memory needs no signals: in every run, whatever the ranks do, each operation lies in another fence
// epoch than all loads and stores of the memory. Unlike the checks this is a proof: nothing is taken for granted of
// conditions, of errors, or of what is not seen. See docs/design/static.md.
#pragma once
#include "static/Canonical.h"
#include <set>
#include <string>

namespace mck::statics {

/// Names the calls that make windows, so that they are found again in a copy, and in the link.
bool nameWindows(llvm::Module &M);
/// The names of those that are proved. Source: the module that was copied.
std::set<std::string> proveWindows(const Canonical &Code, const llvm::Module &Source);
/// Marks the calls with these names. Points.h takes their memory for the program's own.
bool markWindows(llvm::Module &M, const std::set<std::string> &Names);
bool isProvedWindow(const llvm::CallBase &Call);

} // namespace mck::statics
