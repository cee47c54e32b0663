// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fcheck-whole-program: the object carries its module as the source has it, since that of LTO has been optimized when
// the linker gets it. The link joins these modules and checks them as one, so helpers of other files are inlined as
// those of the same file are.
#pragma once
#include "llvm/IR/Module.h"

namespace mck {

/// Puts a copy of the module into the object, for the link.
bool keepSource(llvm::Module &M);
/// In the link: the copies of all modules are checked as one, and taken away. True: the module was changed.
bool checkProgram(llvm::Module &M);

} // namespace mck
