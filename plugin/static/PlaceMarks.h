// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Was a call executed that only the link warns of? The code is compiled by then. So each call of MPI has a mark: a
// pointer to a byte, which the call sets to 1 if it is 0. At first it points to a constant 1, so nothing is written.
// The record of a warning has the address of the pointer (warning-abi.h), and the runtime leads it to a byte of its
// own.
#pragma once
#include "static/Warning.h"
#include "llvm/IR/Module.h"

namespace mck::statics {

/// Adds the marks. An inline function in several objects has one for each of its calls.
void markCalls(llvm::Module &M);
/// The mark of a call of this function; weak where another object may have it. Null: it has no place.
llvm::GlobalVariable *findMark(llvm::Module &Into, const llvm::DILocation &Place, const llvm::Function &Callee);

} // namespace mck::statics
