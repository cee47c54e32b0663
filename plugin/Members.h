// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a variable consists of, as debug information says it, as a text for the runtime (rt/abi.h, MCK_OBJECT_MEMBERS).
// LLVM's own types would not do: a union looks like a structure there, and all pointers are one type.
#pragma once
#include <cstdint>
#include <string>

namespace llvm {
class DIType;
} // namespace llvm

namespace mck {

/// The type without names for it, const, volatile and _Atomic.
const llvm::DIType *stripType(const llvm::DIType *T);
/// As a C programmer would write it: "float[10]", "struct point".
std::string typeText(const llvm::DIType *T);
/// The numbers that the type consists of, if they are all of one class and size: class << 8 | bytes << 16. 0: they are
/// not, or it is unknown. Characters, structures and unions are not numbers.
uint32_t numberKind(const llvm::DIType *T);

struct Members {
  std::string Text; // empty: there are no members, or too many
  uint64_t ElementSize = 0;
};
/// The members of a variable that is a structure, or an array of them.
Members membersOf(const llvm::DIType *T);

} // namespace mck
