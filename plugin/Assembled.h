// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gates that nearly every object needs, as x86-64 assembly. Each small function costs the code generator as much as
// half a page of source: the gates were two thirds of what the plugin added to the compile time of a short file.
// Gates.h makes the same gates for other targets and for LTO.
#pragma once
#include <cstdint>
#include <string>

namespace llvm {
class Module;
class StringRef;
} // namespace llvm

namespace mck {

/// False where modules are merged (LTO), or another code model needs other instructions.
bool canAssemble(const llvm::Module &M);

/// Each defines one function, once (in a COMDAT, hidden). The functions jump to each other, so those that the comment
/// names must exist. Pages, Seen: the names of variables.
std::string assembleTell(bool HasRuntime); // mck.tell: tells the runtime of the access in r11
std::string assembleAny();                 // mck.access
std::string assembleAccess(llvm::StringRef Name, uint64_t Size, uint32_t Flags,
                           llvm::StringRef Seen); // mck.load8 and the like; jumps to mck.tell
std::string assembleTest(llvm::StringRef Name, llvm::StringRef Behind, uint64_t Size, uint32_t Flags,
                         llvm::StringRef Pages);
std::string assembleRange(llvm::StringRef Pages, bool HasRuntime); // mck.range.gate
std::string assembleTestAny(llvm::StringRef Pages);                // mck.test.access; jumps to mck.access

} // namespace mck
