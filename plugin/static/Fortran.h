// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of flang. Their calls of MPI pass all by address, and handles are numbers (MPI-3.1 17.1). In the copy that
// the static checks read they become the calls of C that they stand for. They are marked: handles in memory stay
// numbers.
#pragma once
#include "static/Call.h"

namespace mck::statics {

/// Was the module made by flang?
bool isFortran(const llvm::Module &M);
/// Have calls of Fortran been made calls of C in it?
bool hasFortran(const llvm::Module &M);
/// Was the call one of Fortran?
bool isOfFortran(const llvm::CallBase &Call);
/// The function of MPI that a name of Fortran stands for (mpi_send_), or null.
const MpiFunction *findFortranMpi(llvm::StringRef Symbol);
/// The name in C of a function of MPI; of another one its own.
llvm::StringRef nameInC(const llvm::Function &F);
/// Makes calls of C of all calls of MPI in a module of flang, which can be joined with modules of C then. Handles are
/// pointers that are made of numbers.
void callAsC(llvm::Module &M);
/// A handle in memory is a number: the value before the conversion.
const llvm::Value *behindNumber(const llvm::Value *Handle);
/// Handles that are constants become the variables of C; those that were made of a pointer are that pointer.
void resolveHandles(llvm::Module &M);

} // namespace mck::statics
