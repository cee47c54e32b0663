// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All modules of a program, as the sources have them, are joined in the link and checked as one, so helpers of other
// files are inlined as those of the same file are. The linker's plugin (plugin/link) brings them, or, with
// -fcheck-whole-program, the module of LTO.
#pragma once
#include "llvm/IR/Module.h"

namespace mck {

/// In the link of LTO: the modules that M holds are checked as one, and taken away. IsProving: the code gets no
/// signals that a proof makes superfluous. True: M was changed.
bool checkProgram(llvm::Module &M, bool IsProving);
/// The modules in an open file are checked as one; M, which is empty, gets the warnings.
bool checkProgramOf(int File, llvm::Module &M);

} // namespace mck
