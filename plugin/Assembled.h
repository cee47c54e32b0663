// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gates that nearly every object has, as x86-64 assembly. For the code generator each small function is as much
// work as half a page of source: they were two thirds of what compiling a short file with the plugin cost. What is said
// here is what Gates.h makes for other targets and for LTO.
#pragma once
#include <cstdint>
#include <string>

namespace llvm {
class Module;
class StringRef;
} // namespace llvm

namespace mck {

/// Not where modules are merged or other code models need other instructions.
bool canAssemble(const llvm::Module &M);

/// Each defines one function, once (in a COMDAT, hidden); they go on in each other, so the ones that are named must be
/// there. Pages, Seen: the names of variables.
std::string assembleTell(bool HasRuntime); // mck.tell: what is in r11
std::string assembleAny();                 // mck.access
std::string assembleAccess(llvm::StringRef Name, uint64_t Size, uint32_t Flags,
                           llvm::StringRef Seen); // mck.load8 and its like; goes on in mck.tell
std::string assembleTest(llvm::StringRef Name, llvm::StringRef Behind, uint64_t Size, uint32_t Flags,
                         llvm::StringRef Pages);
std::string assembleTestAny(llvm::StringRef Pages); // mck.test.access; goes on in mck.access

} // namespace mck
