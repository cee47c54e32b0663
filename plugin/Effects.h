// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can an instruction change the meaning of the accesses around it?
#pragma once

namespace llvm {
class Instruction;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {

/// Can MPI begin or end to use memory at this instruction? It can when the instruction calls MPI, directly or through
/// other functions, or synchronizes with another thread that may call MPI.
bool mayLetMpiAct(const llvm::Instruction &I, const llvm::TargetLibraryInfo &TLI);

/// Does the instruction write errno at most? So do the functions of the C library that get and return numbers (sqrt).
/// LLVM 19 takes errno for any memory.
bool mayWriteOnlyErrno(const llvm::Instruction &I, const llvm::TargetLibraryInfo &TLI);

} // namespace mck
