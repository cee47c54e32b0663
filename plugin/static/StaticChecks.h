// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The static checks: what is wrong on some path is said while compiling. See docs/design/static.md.
#pragma once

namespace llvm {
class Module;
}

namespace mck {

/// Looks at a module as the source has it, prints warnings, and puts them into the object. Was the module changed?
bool runStaticChecks(llvm::Module &M);
/// The same for all modules of a program, joined: the warnings are put into another module.
bool runStaticChecksOfProgram(llvm::Module &Joined, llvm::Module &Into);

} // namespace mck
