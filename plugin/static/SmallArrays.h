// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays of a few numbers, which calls about topologies read and write: dimensions, coordinates. In the copy
// (Canonical.h) their elements are values.
#pragma once
#include "llvm/IR/InstrTypes.h"

namespace mck::statics {

/// How many ints of a local variable begin at the address; 0: it is none, or they are too many.
unsigned countNumbers(const llvm::Value *Address);
/// The call gets the values of so many elements in place of the address.
void passNumbers(llvm::CallBase &Call, unsigned Argument, unsigned Count);
/// What passNumbers passed, or nothing.
llvm::iterator_range<llvm::User::const_op_iterator> passedNumbers(const llvm::Value *Argument);

} // namespace mck::statics
