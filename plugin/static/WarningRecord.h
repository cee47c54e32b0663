// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings in the object (warning-abi.h, section mck_warnings): the run's report says which of them the run confirmed,
// and which are about code that it did not execute.
#pragma once
#include "static/Warning.h"
#include "llvm/IR/Module.h"

namespace mck::statics {

/// Adds a record of each warning, and a store before the instruction that it is about. The places may be those of a
/// copy of the module.
bool recordWarnings(llvm::Module &M, llvm::ArrayRef<Told> Warnings);

} // namespace mck::statics
