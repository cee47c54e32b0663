// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of which numbers a container of C++ is. Once data() and operator[] are inlined nobody sees it any more: the
// containers are looked at before, and what is found stays at the calls of MPI.
#pragma once
#include "static/Call.h"
#include <optional>

namespace mck::statics {

struct Elements {
  uint32_t Kind = 0;  // class | bytes of a number << 8, as log/basic-kind.h has it
  uint64_t Count = 0; // of the container; 0: the call's own count is the container's size()
};
/// The kind of a number as C++ names its type, or 0. Characters and booleans are bytes.
uint32_t kindOfName(llvm::StringRef Type);
/// Notes at a call which of its buffers are the data of a container.
void noteElements(llvm::CallBase &Call, const MpiFunction &Function);
std::optional<Elements> elementsOf(const llvm::CallBase &Call, unsigned Parameter);

} // namespace mck::statics
