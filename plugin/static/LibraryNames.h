// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library and of POSIX that neither call the program back nor wait for other threads. LLVM knows
// more of them by itself (TargetLibraryInfo).
#pragma once
#include "llvm/ADT/StringRef.h"

namespace mck::statics {

bool isPlainLibraryFunction(llvm::StringRef Name);
/// Of the streams of C++: by its mangled name.
bool isStreamFunction(llvm::StringRef Name);

} // namespace mck::statics
