// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of flang. Their calls of MPI pass all by address, and handles are numbers (MPI-3.1 17.1). In the copy that
// the static checks read they become the calls of C that they stand for.
#pragma once
#include "static/Call.h"

namespace mck::statics {

/// Was the module made by flang?
bool isFortran(const llvm::Module &M);
/// The function of MPI that a name of Fortran stands for (mpi_send_), or null.
const MpiFunction *findFortranMpi(llvm::StringRef Symbol);
/// Makes calls of C of all calls of MPI. Handles are pointers that are made of numbers.
void callAsC(llvm::Module &M);
/// A handle in memory is a number: the value before the conversion.
const llvm::Value *behindNumber(const llvm::Value *Handle);
/// Handles that are constants become the variables of C; those that were made of a pointer are that pointer.
void resolveHandles(llvm::Module &M);

} // namespace mck::statics
