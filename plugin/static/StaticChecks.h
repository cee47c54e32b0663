// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The static checks: what is wrong on some path is said while compiling. See docs/design/static.md.
#pragma once

namespace llvm {
class Module;
}

namespace mck {

/// Looks at a module as the source has it, prints warnings, and puts them into the object. KeepsSource: and the module
/// itself, for the check of the whole program in the link. Was the module changed?
bool runStaticChecks(llvm::Module &M, bool KeepsSource);
/// Leaves all to the link of LTO.
bool keepSourceForLink(llvm::Module &M);
/// Looks at all modules of a program, joined: the warnings are put into another module. IsProving: that is the
/// program's code, and gets the proofs, too.
bool runStaticChecksOfProgram(llvm::Module &Joined, llvm::Module &Into, bool IsProving);

} // namespace mck
