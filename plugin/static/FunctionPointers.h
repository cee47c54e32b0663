// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through a pointer that is one of a few functions of the module (step = rank ? light : heavy; step()).
#pragma once
#include "llvm/IR/Module.h"

namespace mck::statics {

/// Is there a call through a pointer?
bool callsPointers(const llvm::Module &M);
/// Makes such calls conditions over direct calls. Pointers in local variables have to be values already.
void callDirectly(llvm::Module &M);
/// Makes a call through any pointer a choice of the functions of the module that it may be, by their types, with the
/// call through the pointer left for others: whoever knows the pointer knows the function. Also virtual functions.
void callByChoice(llvm::Module &M);

} // namespace mck::statics
