// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of which type the one number, pointer or handle is that a call of MPI gives.
#pragma once
#include "static/Call.h"

namespace mck::statics {

/// Of the variable or member that is at an address; null: it is none. IsFirst: or the first one in it.
llvm::Type *scalarAt(const llvm::Value *Address, bool IsFirst);
/// What the parameter points to, where the address tells nothing; null: not one number or handle.
llvm::Type *declaredScalar(const Parameter &P, llvm::LLVMContext &Context);

} // namespace mck::statics
