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

/// The beginning of the names of those gates that keep the registers of vectors, too (preserve_all). Gates of another
/// version, and those that Gates.h makes, do not, so all have other names.
std::string gatePrefix(llvm::Module &M);

/// Each defines one function, once (in a COMDAT, hidden). The functions jump to each other, so those that the comment
/// names must exist. Pages, Seen: the names of variables.
std::string assembleTell(llvm::StringRef Prefix, bool IsMapped,
                         bool HasRuntime);       // "tell" and another for maps: tell the runtime of the access in r11
std::string assembleAny(llvm::StringRef Prefix); // access; jumps to tell
std::string assembleAccess(llvm::StringRef Name, llvm::StringRef Tells, uint64_t Size, uint32_t Flags,
                           llvm::StringRef Seen); // load8 and the like; jumps to Tells
std::string assembleTest(llvm::StringRef Name, llvm::StringRef Behind, uint64_t Size, uint32_t Flags,
                         llvm::StringRef Pages);
std::string assembleRange(llvm::StringRef Prefix, llvm::StringRef Pages, bool HasRuntime); // range.gate
std::string assembleTestAny(llvm::StringRef Prefix, llvm::StringRef Pages); // test.access; jumps to access
// test.range, test.sweep (with a stride and a count); asks range.gate, jumps to Behind
std::string assembleTestRange(llvm::StringRef Name, llvm::StringRef Behind, bool HasStride, llvm::StringRef Prefix,
                              llvm::StringRef Pages);

} // namespace mck
