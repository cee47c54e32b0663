// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy that the static checks read has no debug information of variables, but their types are asked for
// (mayHaveBitFields).
#pragma once
#include "llvm/IR/Module.h"

namespace mck::statics {

/// Notes all types that the module's debug information has, before that of variables goes.
void keepTypes(llvm::Module &M);

} // namespace mck::statics
