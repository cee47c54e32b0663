// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays of a few numbers or handles, which calls about topologies and datatypes read and write: dimensions,
// coordinates, displacements. In the copy (Canonical.h) their elements are values.
#pragma once
#include "static/Call.h"
#include "llvm/IR/InstrTypes.h"

namespace mck::statics {

/// How many elements of this type begin at the address in a local variable, or a constant one; 0: it is none, or they
/// are too many.
unsigned countNumbers(const llvm::Value *Address, const llvm::Type *Element);
/// The call gets the values of so many elements in place of the address.
void passNumbers(llvm::CallBase &Call, unsigned Argument, unsigned Count, llvm::Type *Element);
/// What passNumbers passed, or nothing.
llvm::iterator_range<llvm::User::const_op_iterator> passedNumbers(const llvm::Value *Argument);
/// The call of MPI_Type_create_struct gets what its arrays have, if their length is a number.
void passMembers(llvm::CallBase &Call, const MpiFunction &Function);

} // namespace mck::statics
