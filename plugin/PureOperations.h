// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduction operations of the program (MPI_User_function, MPI-3.1 5.9.5) that may be called once more without anybody
// noticing: they write only through their arguments and into their own variables, and call nothing that does more. The
// runtime gets a list of them (rt/abi.h, __mck_attach_operations).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace mck {

/// Before signals are inserted. Returns true when something was inserted.
bool listPureOperations(llvm::Module &M);

} // namespace mck
